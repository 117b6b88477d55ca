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

describe('putting a snapshot', () => {
  /** A bucket in memory, with what was done to it and to the stream, in order. @param {(bytes: Uint8Array) => Uint8Array} keep */
  function bucketOf(keep) {
    /** @type {string[]} */
    const done = [];
    /** @type {Map<string, Uint8Array>} */
    const objects = new Map();
    const store = {
      info: async (/** @type {string} */ name) =>
        objects.has(name) ? { nuid: name, chunks: 1, deleted: false } : null,
      putBlob: async (/** @type {{ name: string }} */ { name }, /** @type {Uint8Array} */ bytes) => {
        objects.set(name, keep(bytes));
        done.push(`put ${name}`);
      },
    };
    const streams = {
      info: async () => ({
        state: {
          subjects: Object.fromEntries([...objects.keys()].map((name) => [`$O.b.M.${btoa(name)}`, 1])),
        },
      }),
      getMessage: async (/** @type {string} */ _, /** @type {any} */ { next_by_subj: subject }) => {
        const name = subject.slice('$O.b.C.'.length);
        done.push(`read ${name}`);
        return { data: objects.get(name), seq: 1 };
      },
      purge: async (/** @type {string} */ stream, /** @type {any} */ { seq, filter }) => {
        done.push(filter === undefined ? `trim ${stream} to ${seq}` : `remove ${filter}`);
      },
    };
    const bucket = /** @type {any} */ ({ name: 'b', store, jsm: { streams } });
    return { snapshots: new Snapshots({ bucket, stream: 's', part: 'pool' }), done };
  }
  const put = (/** @type {Snapshots} */ snapshots, /** @type {number} */ sequence) =>
    snapshots.write(new Uint8Array([sequence]), { sequence, tip: '', revision: `${sequence}` });

  it('trims last, to the older of the newest two', async () => {
    const { snapshots, done } = bucketOf((bytes) => bytes);
    assert.equal(await put(snapshots, 5), true);
    assert.deepEqual(done.splice(0), ['put pool.5.5', 'read pool.5.5']);
    assert.equal(await put(snapshots, 9), true);
    assert.deepEqual(done.splice(0), ['put pool.9.9', 'read pool.9.9', 'trim s to 5']);
    assert.equal(await put(snapshots, 8), false);
    assert.deepEqual(done, []);
  });

  it('trims nothing behind one that comes back as another', async () => {
    let good = true;
    const { snapshots, done } = bucketOf((bytes) => (good ? bytes : bytes.map((byte) => byte ^ 1)));
    await put(snapshots, 5);
    good = false;
    await assert.rejects(put(snapshots, 9), { code: 'cluster_diverged', reason: 'snapshot_invalid' });
    assert.ok(!done.some((each) => each.startsWith('trim')));
  });
});
