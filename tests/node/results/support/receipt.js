/** A receipt as a pool could have answered it. @param {string} taskId */
export const receiptOf = (taskId) => ({
  taskId,
  taskGeneration: 0n,
  attempt: 1,
  leaseId: 1n,
  workerId: 'w',
  workerGeneration: 1n,
  recordVersion: 4n,
});
