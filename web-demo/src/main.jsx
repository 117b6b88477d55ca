import { createLeasegate } from 'leasegate';
import { render } from 'preact';
import { load } from './app/actions.js';
import { followAddress, parseAddress } from './app/address.js';
import { runClock } from './app/clock.js';
import { openHatch } from './app/hatch.js';
import { failure, lg } from './app/state.js';
import { followTheme } from './app/theme.js';
import { App } from './view/app.jsx';

followTheme();
render(<App />, document.getElementById('app'));
start();

async function start() {
  try {
    lg.value = await createLeasegate();
    await load(parseAddress(location.hash));
    followAddress();
    runClock();
    openHatch();
  } catch (error) {
    failure.value = error instanceof Error ? error.message : String(error);
    throw error;
  }
}
