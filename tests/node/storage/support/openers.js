// Other processes that open a storage.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const CHILD = fileURLToPath(new URL('./open-child.mjs', import.meta.url));

/**
 * What another process says when it opens a storage; `kill` ends it as kill -9 does, `close` lets it close.
 * @param {string} kind @param {string} folder
 * @param {{ commands?: number, maxFileKib?: number | null }} [options] `maxFileKib`: no file of its may grow larger
 * @returns {Promise<{ said: any, kill: () => Promise<unknown>, close: () => Promise<unknown> }>}
 */
export async function opener(kind, folder, { commands = 0, maxFileKib = null } = {}) {
  const args = [CHILD, kind, folder, String(commands)];
  const child =
    maxFileKib === null
      ? spawn(process.execPath, args, { stdio: 'pipe' })
      : spawn('bash', ['-c', `ulimit -f ${maxFileKib} && exec "$@"`, 'bash', process.execPath, ...args], {
          stdio: 'pipe',
        });
  let text = '';
  let complaint = '';
  child.stderr.on('data', (part) => {
    complaint += part;
  });
  const ended = once(child, 'close');
  const whole = new Promise((resolve, reject) => {
    child.stdout.on('data', (part) => {
      text += part;
      if (text.endsWith('\n')) resolve(JSON.parse(text));
    });
    ended.then(() => reject(new Error(`The child said nothing: ${complaint}`)));
  });
  const said = await whole;
  return {
    said,
    kill: () => {
      child.kill('SIGKILL');
      return ended;
    },
    close: () => {
      child.stdin.end();
      return ended;
    },
  };
}
