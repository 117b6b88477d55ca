// JSON with its integers exact. JSON.parse says whether a text is JSON; this finds where the members of an object lie
// in it, so that each is read from its own characters: no integer goes through a number, no value is reformatted.

/**
 * The members of the object that `text`, which must be JSON, holds: for each name the text of its value. The last
 * one counts. Null when it holds no object.
 * @param {string} text
 * @returns {Map<string, string> | null}
 */
export function membersOf(text) {
  let at = skipSpace(text, 0);
  if (text[at] !== '{') return null;
  const members = new Map();
  at = skipSpace(text, at + 1);
  while (text[at] !== '}') {
    const name = skipString(text, at);
    const value = skipSpace(text, skipSpace(text, name) + 1); // past the colon
    const end = skipValue(text, value);
    members.set(JSON.parse(text.slice(at, name)), text.slice(value, end));
    at = skipSpace(text, end);
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return members;
}

/** @param {string} text */
export function isJson(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** @param {string} text @param {number} at */
function skipSpace(text, at) {
  let end = at;
  while (' \t\n\r'.includes(text[end]) && end < text.length) end += 1;
  return end;
}

/** @param {string} text @param {number} at of the opening quote */
function skipString(text, at) {
  let end = at + 1;
  while (text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
  return end + 1;
}

/** However deeply nested: counted, not recursed into. @param {string} text @param {number} at */
function skipValue(text, at) {
  let end = at;
  let depth = 0;
  do {
    const character = text[end];
    if (character === '"') {
      end = skipString(text, end);
    } else if (character === '{' || character === '[') {
      depth += 1;
      end += 1;
    } else if (character === '}' || character === ']') {
      depth -= 1;
      end += 1;
    } else {
      end = depth > 0 ? end + 1 : skipScalar(text, end);
    }
  } while (depth > 0);
  return end;
}

/** A number, true, false or null. @param {string} text @param {number} at */
function skipScalar(text, at) {
  let end = at;
  while (end < text.length && !' \t\n\r,]}'.includes(text[end])) end += 1;
  return end;
}
