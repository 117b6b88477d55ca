// What the figures were measured on. No names of hosts or people: only what the figures depend on.

import os from 'node:os';

export function machine() {
  const cpus = os.cpus();
  return {
    cpu: cpus[0]?.model.trim() ?? 'unknown',
    cores: cpus.length,
    memoryGiB: Math.round(os.totalmem() / 2 ** 30),
    platform: `${os.platform()} ${os.arch()}`,
    node: process.version,
    v8: process.versions.v8,
    // A busy machine makes wall time worth little; CPU time suffers less.
    loadAverage: Number(os.loadavg()[0].toFixed(1)),
  };
}
