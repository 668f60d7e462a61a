type Shape = Record<string, unknown>;

/**
 * The newer value with the parts of the older one that are equal: a page sees by identity what has not
 * changed. Values are JSON, sets and the like are taken as they are.
 */
export function shared(older: unknown, newer: unknown): unknown {
  if (Object.is(older, newer)) return older;
  if (Array.isArray(older) && Array.isArray(newer)) {
    const merged = newer.map((one, index) => shared(older[index], one));
    return older.length === merged.length && merged.every((one, index) => one === older[index])
      ? older
      : merged;
  }
  if (!isPlain(older) || !isPlain(newer)) return newer;
  const names = Object.keys(newer);
  const merged: Shape = {};
  for (const name of names) merged[name] = shared(older[name], newer[name]);
  const isSame =
    Object.keys(older).length === names.length &&
    names.every((name) => name in older && merged[name] === older[name]);
  return isSame ? older : merged;
}

const isPlain = (value: unknown): value is Shape =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
