// Which snapshot a host begins with, while others put new ones.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Snapshots } from '../../js/cluster/snapshots.js';

/** A bucket that holds what `lists` says, one after the other; names in `there` can be read. @param {string[][]} lists @param {Record<string, number>} there */
function snapshotsOf(lists, there) {
  const snapshots = new Snapshots({ bucket: /** @type {any} */ (null), stream: 's', part: 'pool' });
  let at = 0;
  snapshots.list = async () => {
    const names = lists[Math.min(at, lists.length - 1)];
    at += 1;
    return names.map((name) => ({ name, sequence: Number(name.split('.')[2]) }));
  };
  snapshots.open = async ({ name }) =>
    name in there ? { bytes: new Uint8Array([there[name]]), tip: 't' } : null;
  return snapshots;
}
/** @param {Uint8Array} bytes */
const make = ([byte]) => {
  if (byte === 0) throw new Error('damaged');
  return byte;
};

describe('the newest snapshot', () => {
  it('is the newest that can be read', async () => {
    const snapshots = snapshotsOf([['pool.9.9', 'pool.5.5']], { 'pool.9.9': 0, 'pool.5.5': 5 });
    assert.deepEqual(await snapshots.read(make), { made: 5, sequence: 5, tip: 't' });
    assert.equal(await snapshotsOf([[]], {}).read(make), null);
  });

  it('is looked for again when those that were listed have been replaced meanwhile', async () => {
    const lists = [
      ['pool.2.2', 'pool.1.1'],
      ['pool.4.4', 'pool.3.3'],
    ];
    assert.equal((await snapshotsOf(lists, { 'pool.4.4': 4 }).read(make))?.made, 4);
  });

  it('is refused when nothing else comes and none can be read', async () => {
    for (const there of [{}, { 'pool.2.2': 0 }])
      await assert.rejects(snapshotsOf([['pool.2.2']], there).read(make), {
        code: 'cluster_diverged',
        reason: 'snapshot_invalid',
        sequence: 2n,
      });
  });

  it('is given up, to be tried again, when they are replaced faster than they can be read', async () => {
    const lists = Array.from({ length: 100 }, (_, i) => [`pool.${i}.${i}`]);
    await assert.rejects(snapshotsOf(lists, {}).read(make), { code: 'cluster_unavailable' });
  });
});
