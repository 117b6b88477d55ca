// One subject of a suite, alone in its process: nothing that another subject does shows in its heap or in how V8
// has compiled its code. Does a round whenever it is told to, and says what it cost.

const [, , suite, name] = process.argv;
const { subjects } = await import(suite);
const subject = await subjects[name]();

/** @param {any} message */
const tell = (message) => /** @type {any} */ (process).send(message);

process.on('message', async () => {
  await subject.before?.();
  const cpu = process.cpuUsage();
  const start = performance.now();
  const operations = await subject.run();
  const wallNs = (performance.now() - start) * 1e6;
  const { user, system } = process.cpuUsage(cpu);
  await subject.after?.();
  tell({ cpuNs: ((user + system) * 1000) / operations, wallNs: wallNs / operations });
});
tell('ready');
