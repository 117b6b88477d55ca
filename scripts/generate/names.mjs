// @ts-nocheck -- text templates over plain data
// Spelling: the schema is snake_case; C++ types and JS classes are PascalCase, JS fields camelCase.

export const camel = (name) => name.replace(/_([a-z0-9])/g, (_, c) => c.toUpperCase());
export const pascal = (name) => camel(name).replace(/^./, (c) => c.toUpperCase());
export const constantCase = (name) => name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase();

const reserved = new Set(['new', 'delete', 'default', 'class', 'operator', 'private', 'public']);
export const cppName = (name) => (reserved.has(name) ? `${name}_` : name);

/** Splits "text:LIMIT" and "Type?" into their parts. */
export function typeOf(type) {
  const optional = type.endsWith('?');
  const [base, argument] = (optional ? type.slice(0, -1) : type).split(':');
  return { base, argument, optional };
}

/** How many slots of a frame a field takes; absent or not, they are the same. */
export function slotsOf(type, shapes) {
  const { base, optional } = typeOf(type);
  if (shapes[base])
    return shapes[base].fields.reduce((sum, [, inner]) => sum + slotsOf(inner, shapes), optional ? 1 : 0);
  if (base === 'placed' || base === 'blob') return 2;
  return optional && /^(u64|millis|task|worker)$/.test(base) ? 2 : 1;
}

/** The constants of a contract: those that users meet, then those that only we need. */
export const constantsOf = ({ constants, internalConstants = [] }) => [...constants, ...internalConstants];

/** What a record says; where the core keeps it is between the two halves. */
export const isContent = ([, type]) => typeOf(type).base !== 'place';

/** The kind in which an error field travels: u64, count, id, id?, label, state, or the name of an enum. */
export const isNumber = (kind) => kind === 'u64' || kind === 'count';
/** Text of the caller's: an id that was validated (`id?`: or none), or a label. */
export const isSubject = (kind) => kind === 'id' || kind === 'id?' || kind === 'label';

export const banner = (comment) =>
  `${comment} Generated from src/schema by "npm run generate". Do not edit.\n`;
