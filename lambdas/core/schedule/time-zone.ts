import { closeZone } from './close-zone';
import { ParseError, quoted } from './schedule-error';
import { canonicalZoneName } from './zone-names';
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
