/** Small numbers, so that a minute is enough to reach them. */
export const demoLimits = Object.freeze({
  maxTaskRecords: 512,
  maxActiveTasks: 64,
  maxQueuedTasks: 20,
  maxTerminalTasks: 512,
  maxWorkers: 16,
  maxRetries: 3,
  maxLeaseTtlSecs: 60,
  heartbeatTimeoutSecs: 8,
});
