import { didYouMean } from '../contracts/suggestion';
import { ParseError, quoted } from './schedule-error';
import { canonicalZoneName, zoneNames } from './zone-names';
import type { Zone } from './zone';
import { zoneOf } from './zone';

/** The zone of an IANA name in any case; UTC without a name. Throws `ParseError`. */
export function parseTimeZone(name: string | undefined): Zone {
  const canonical = canonicalZoneName(name ?? 'UTC');
  if (canonical) return zoneOf(canonical);
  throw new ParseError(
    `${quoted(name)} is no IANA time zone${suggestedZone(name ?? '') || '; allowed are names such as "Europe/Berlin" and "UTC"'}`,
  );
}

/** A city alone has the name of its zone: `Berlin`, `New York`. */
function suggestedZone(name: string): string {
  const names = zoneNames();
  const city = name.trim().toLowerCase().replaceAll(' ', '_');
  const ofCity = names.find((zone) => zone.toLowerCase().endsWith(`/${city}`));
  return ofCity ? `; did you mean "${ofCity}"?` : didYouMean(name, names);
}
