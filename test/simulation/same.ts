/**
 * Whether two values of plain data are equal, as `isDeepStrictEqual` says. It takes a fraction of its time,
 * since it knows no classes.
 */
export function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (one === null || other === null || typeof one !== 'object' || typeof other !== 'object') return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [a, b] = [one as Record<string, unknown>, other as Record<string, unknown>];
  let names = 0;
  for (const name in a) {
    if (!Object.hasOwn(b, name) || !isSame(a[name], b[name])) return false;
    names += 1;
  }
  return names === Object.keys(b).length;
}
