// The life of a task, said for a person.

const REASONS = {
  reported_failed: (who) => `${who} said that it failed`,
  lease_expired: (who) => `the lease of ${who} ran out`,
  worker_deregistered: (who) => `${who} was taken offline`,
  worker_silent: (who) => `${who} fell silent`,
};

const WORDS = {
  enqueued: ({ priority }) => `joins the queue, ${priority}`,
  due: () => 'has waited long enough',
  leased: ({ workerId, attempt, expiresAt }) =>
    `goes to ${workerId} until ${expiresAt} s, attempt ${attempt}`,
  started: ({ workerId }) => `${workerId} starts`,
  renewed: ({ workerId, expiresAt }) => `${workerId} has it longer, until ${expiresAt} s`,
  requeued: ({ reason, workerId, retryCount }) =>
    `${REASONS[reason](workerId)}: back in the queue, retry ${retryCount}`,
  completed: ({ workerId }) => `${workerId} completes it`,
  failed: ({ reason, workerId }) => `${REASONS[reason](workerId)}: failed, no retry left`,
  cancelled: ({ from }) => `cancelled while ${from}`,
  expired: ({ from, ageSecs }) => `expired after ${ageSecs} s, while ${from}`,
  retired: () => 'forgotten',
};

/** @param {object} event of leasegate's History */
export const lifeText = (event) => WORDS[event.kind](event);
