/** An offset such as `+05:30` is no name of a zone. */
const NAME = /^[a-z][\w+/-]*$/i;
const KNOWN = new Map(Intl.supportedValuesOf('timeZone').map((name) => [name.toLowerCase(), name]));

/**
 * The zone of a name, for schedules in the browser: it has a list of the zones already. It may know more
 * names than the API, which decides on a save. Undefined: there is no such zone.
 */
export function canonicalZoneName(name: string): string | undefined {
  const known = KNOWN.get(name.toLowerCase());
  if (known !== undefined || !NAME.test(name)) return known;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return name;
  } catch {
    return undefined;
  }
}

/** What errors suggest from. */
export const zoneNames = (): string[] => [...KNOWN.values()];
