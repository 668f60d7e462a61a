import { shownWindowsZone } from '../../../client/ics/windows-zones';
import { closestOf } from '../contracts/suggestion';
import { ParseError, quoted } from './schedule-error';
import { canonicalZoneName, zoneNames } from './zone-names';
import type { Zone } from './zone';
import { zoneOf } from './zone';

/** The zone of an IANA name in any case; UTC without a name. Throws `ParseError`. */
export function parseTimeZone(name: string | undefined): Zone {
  const canonical = canonicalZoneName(name ?? 'UTC');
  if (canonical) return zoneOf(canonical);
  const close = closeZone(name ?? '');
  throw new ParseError(
    `${quoted(name)} is no IANA time zone; ${
      close === undefined ? 'allowed are names such as "Europe/Berlin" and "UTC"' : `did you mean "${close}"?`
    }`,
  );
}

/** What people call a zone, and what follows its name in lists that they copy from. */
const PARTS = /[^a-z0-9]+/g;
const OFFSET = /[+-] ?\d/;
const cityOf = (name: string): string => name.slice(name.lastIndexOf('/') + 1);
const plainOf = (text: string): string => text.toLowerCase().replace(PARTS, '_').replace(/^_|_$/g, '');

/**
 * The zone that a text means: `Europe/Berln`, `berlin`, `New York`, `W. Europe Standard Time`. Undefined if
 * none is close. An offset is close to none: `Etc/GMT+2` is two hours behind UTC, which `GMT+2` seldom means.
 */
export function closeZone(text: string): string | undefined {
  const plain = plainOf(text);
  const windows = shownWindowsZone(text);
  if (windows !== undefined) return windows;
  if (plain === '' || OFFSET.test(text)) return undefined;
  const names = zoneNames();
  const ofCity = (city: string) => names.find((name) => plainOf(cityOf(name)) === city);
  return (
    names.find((name) => plainOf(name) === plain) ??
    ofCity(plain) ??
    closestOf(
      text.trim().replaceAll(' ', '_'),
      names.filter((name) => name.includes('/')),
    ) ??
    ofCity(plainOf(cityOf(text))) ??
    closestCity(plain, names)
  );
}

/** A misspelt city alone. Short texts are close to too many cities. */
function closestCity(plain: string, names: readonly string[]): string | undefined {
  if (plain.length < SHORTEST_NAME) return undefined;
  const closest = closestOf(plain, names.map(cityOf));
  return closest === undefined ? undefined : names.find((name) => cityOf(name) === closest);
}
const SHORTEST_NAME = 5;

const PREFIX = /^\s*((?:CRON_)?TZ=)(\S*)/i;
/** A path of names, or an offset: neither can be a field of an expression. */
const ZONE =
  /^(?:[A-Z_]{2,}(?:\/[A-Z_+-][A-Z_\d+-]+)+|(?:UTC|GMT)?[+-]\d{1,2}(?::?\d\d)?|Z|[A-Z]{1,3}[DS]T)$/i;

/** The time zone in the text of an expression: `TZ=…` before it, or a name or an offset after it. */
export function zoneInText(text: string): { text: string; zone: string } | undefined {
  const [, prefix, zone] = PREFIX.exec(text) ?? [];
  if (zone !== undefined) return { text: `${prefix}${zone}`, zone };
  const last = text.trim().split(/\s+/).slice(MIN_FIELDS_BEFORE).at(-1);
  if (last === undefined) return undefined;
  return ZONE.test(last) || canonicalZoneName(last) !== undefined ? { text: last, zone: last } : undefined;
}
const MIN_FIELDS_BEFORE = 1;
