/**
 * When each caption of a scenario comes up: at a second, or at the first entry after the previous caption that its
 * `on` describes. One whose moment never comes (trouble made by hand can see to that) is left out.
 */
export function captionsOf(scenario, entries) {
  const captions = [];
  let from = 0;
  for (const { at, on, text, look } of scenario.captions) {
    if (at !== undefined) {
      captions.push({ when: at, text, look });
      const next = entries.findIndex((entry) => entry.when >= at);
      from = Math.max(from, next < 0 ? entries.length : next);
      continue;
    }
    const index = entries.findIndex((entry, i) => i >= from && matches(entry, on));
    if (index < 0) continue;
    const entry = entries[index];
    captions.push({
      when: entry.when,
      text: typeof text === 'function' ? text(entry) : text,
      look,
      entry: index,
    });
    from = index + 1;
  }
  return captions;
}

function matches(entry, on) {
  return Object.entries(on).every(([key, value]) => {
    if (key === 'task') return entry.refs.tasks.has(value);
    return entry[key] === value;
  });
}
