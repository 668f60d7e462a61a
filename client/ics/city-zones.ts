import { ianaClock } from './clock';
import { WINDOWS_ZONES } from './windows-zones';

/** Where cities of lists may be: `US/Hawaii` and `Canada/Newfoundland` are names of IANA, too. */
const AREAS = 'Europe America Asia Africa Australia Pacific Atlantic Indian US Canada'.split(' ');
const MINUTE_MS = 60_000;
/** One of these has no summer time, on either half of the earth. */
const [JANUARY_MS, JULY_MS] = [Date.UTC(2026, 0, 15), Date.UTC(2026, 6, 15)];

/**
 * The zone of a list of cities that Windows shows: `(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm,
 * Vienna`. Cities that IANA knows under the offset count. The one by which the Unicode CLDR names the zone
 * comes first.
 */
export function cityZone(shown: string): string | undefined {
  const [, sign, hours, minutes, cities] = /^\s*\(UTC([+-])(\d\d):(\d\d)\)\s*(.+)$/i.exec(shown) ?? [];
  if (cities === undefined) return undefined;
  const offsetMs = Number(`${sign}${Number(hours) * 60 + Number(minutes)}`) * MINUTE_MS;
  const zones = cities.split(',').flatMap((city) => zoneOf(city.trim(), offsetMs) ?? []);
  const ofWindows = new Set(Object.values(WINDOWS_ZONES));
  return zones.find((zone) => ofWindows.has(zone)) ?? zones[0];
}

function zoneOf(city: string, offsetMs: number): string | undefined {
  const name = city.replaceAll(/[.']/g, '').replaceAll(' ', '_');
  for (const area of AREAS) {
    const clock = ianaClock(`${area}/${name}`);
    if (clock && [JANUARY_MS, JULY_MS].some((atMs) => clock.offsetMs(atMs) === offsetMs))
      return new Intl.DateTimeFormat('en', { timeZone: clock.name }).resolvedOptions().timeZone;
  }
  return undefined;
}
