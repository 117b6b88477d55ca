// A page for one test file: its script, bundled for a browser, on a server of its own.

import http from 'node:http';
import { build } from 'esbuild';

/** The icon is named, or a browser asks for one that is not there. */
const HTML = '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/page.js"></script>';

/** What answers requests for the page: `options` tell esbuild what its script is. */
export async function pageOf(options) {
  const bundle = await build({ bundle: true, format: 'esm', platform: 'browser', write: false, ...options });
  const script = bundle.outputFiles[0].text;
  return (request, response) => {
    if (request.url === '/page.js') response.setHeader('content-type', 'text/javascript').end(script);
    else response.setHeader('content-type', 'text/html').end(HTML);
  };
}

/** The script of a file beside this one. */
export const scriptAt = (name) => ({ entryPoints: [new URL(name, import.meta.url).pathname] });

/** Serves what `answer` answers on a free loopback port. */
export async function serve(answer) {
  const server = http.createServer(answer);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    server,
    address: `http://127.0.0.1:${server.address().port}/`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/**
 * A tab of a browser that is ready, and what it answers when it is asked by name. `prepare` is given the tab before it
 * loads anything.
 */
export async function openPage({ context }, address, prepare = async (_page) => {}) {
  const page = await context.newPage();
  await prepare(page);
  await page.goto(address);
  await page.waitForFunction('globalThis.ready');
  const ask = async (question, options = {}) =>
    JSON.parse(await page.evaluate(([name, given]) => globalThis.ask(name, given), [question, options]));
  return { page, ask };
}
