import { useEffect } from 'preact/hooks';
import { clearSelection, step, togglePlay } from '../app/actions.js';
import { bridgeFrame, failure, loading, picture, recording } from '../app/state.js';
import { Player } from './controls/player.jsx';
import { ScenarioPicker, Story } from './controls/story.jsx';
import { Troubles } from './controls/troubles.jsx';
import { Details } from './details.jsx';
import { Gate } from './gate/gate.jsx';
import { Header } from './header.jsx';
import { Ledger } from './ledger/ledger.jsx';
import { Revision } from './past/revision.jsx';
import { Queue } from './queue.jsx';
import { Timeline } from './timeline/timeline.jsx';

export function App() {
  useEffect(() => {
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  if (failure.value) return <Failure reason={failure.value} />;
  const ready = recording.value && picture.value;
  return (
    <>
      <Header />
      <ScenarioPicker />
      {ready ? (
        <>
          <main>
            <Story />
            <div class={recording.value.scenario.gateFirst ? 'rooms is-gate-first' : 'rooms'}>
              <div class="rooms-left">
                <Timeline key={recording.value} />
                <Queue />
                <Troubles />
                <Revision />
              </div>
              <div class="rooms-right">
                <Ledger />
                <Details />
              </div>
              {bridgeFrame.value && <Gate />}
            </div>
          </main>
          <Player />
          <p class="recording" role="status">
            {loading.value && <span>Recording…</span>}
          </p>
        </>
      ) : (
        <main class="boot" aria-busy="true">
          <p>Starting the module…</p>
        </main>
      )}
    </>
  );
}

function Failure({ reason }) {
  return (
    <main class="boot" role="alert">
      <h1>leasegate could not start</h1>
      <p>{reason}</p>
    </main>
  );
}

/** Space plays and pauses, arrows step, Escape clears the selection, where no control wants these keys for itself. */
function onKey(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'Escape') clearSelection();
  if (event.target !== document.body) return;
  const does = { ' ': togglePlay, ArrowLeft: () => step(-1), ArrowRight: () => step(1) }[event.key];
  if (!does || !recording.value) return;
  event.preventDefault();
  does();
}
