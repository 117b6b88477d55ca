// The demo as it is built, served as scripts/demo.mjs does it, below a sub-path.

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { serveFolder } from '../../../scripts/demo-server.mjs';

const PREFIX = '/some/sub-path/';
const built = fileURLToPath(new URL('../../../web-demo/dist', import.meta.url));

export async function serveDemo() {
  if (!existsSync(built)) throw new Error('The demo is not built: npm run build:demo');
  return serveFolder(built, { prefix: PREFIX });
}
