// What happens, in words for a person.

/**
 * @typedef {import('./reporter.mjs').Reporter} Reporter
 * @typedef {import('./run-client.mjs').ClientNews | import('./run-server.mjs').ServerNews} News
 */

/** @param {Reporter} reporter @param {import('./options.mjs').Options} options */
export function tellTo(reporter, { events }) {
  return {
    onNews: (/** @type {News} */ news) => reporter.line(sentence(reporter, news)),
    onProgress: (/** @type {import('./run-client.mjs').Progress} */ { received, confirmed, epoch }) =>
      reporter.status(() => {
        const percent = String(Math.floor((50 * (received + confirmed)) / events)).padStart(3);
        const counts = `received ${reporter.count(received)}  confirmed ${reporter.count(confirmed)}`;
        return `${percent} %  ${counts}  of ${reporter.count(events)}  epoch ${epoch}`;
      }),
  };
}

/** @param {Reporter} reporter @param {News} news */
function sentence(reporter, news) {
  switch (news.kind) {
    case 'listening':
      return `Listening: ${reporter.styled('bold', news.endpoint)}`;
    case 'connected':
      return `Epoch ${news.epoch}: the client is here, and has seen ${reporter.many(news.cursor, 'event')}.`;
    case 'cut':
      return reporter.styled('yellow', `The wire is cut, for the ${ordinal(news.number)} time.`);
    case 'over':
      return `Epoch ${news.epoch} is over: ${news.reason}.`;
    case 'late':
      return `A send with epoch ${news.epoch} comes too late: ${news.answer}.`;
  }
}

/** @param {number} number */
function ordinal(number) {
  const ending = { one: 'st', two: 'nd', few: 'rd', other: 'th', zero: 'th', many: 'th' };
  return `${number}${ending[new Intl.PluralRules('en', { type: 'ordinal' }).select(number)]}`;
}
