import { CliError } from './exit-codes';
import { localText } from './terminal/times';

const LOCAL = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?)?$/;
const OFFSET = /([+-])(\d\d):(\d\d)(?::(\d\d))?$/;

/**
 * An instant as a user types it: RFC 3339 with an offset, a date, or a local time. A date is its midnight.
 * Both are on the clocks of a zone (default: UTC). Throws a `CliError` that names the flag.
 */
export function instantIn(flag: string, typed: string, zone: string | undefined): string {
  const text = typed.trim().replace(' ', 'T');
  if (!LOCAL.test(text)) {
    if (Number.isNaN(Date.parse(text)) || !/(Z|[+-]\d\d:\d\d)$/i.test(text)) throw notATime(flag, typed);
    return new Date(text).toISOString();
  }
  const asUtcMs = Date.parse(text.length === 'YYYY-MM-DD'.length ? `${text}T00:00:00Z` : `${text}Z`);
  if (Number.isNaN(asUtcMs)) throw notATime(flag, typed);
  // The offset at the guess may be that of the other side of a clock change.
  const guessMs = asUtcMs - offsetMs(asUtcMs, zone);
  return new Date(asUtcMs - offsetMs(guessMs, zone)).toISOString();
}

const notATime = (flag: string, typed: string): CliError =>
  new CliError(
    `${flag} is ${JSON.stringify(typed)}; expected a date such as 2026-11-01, a local time such as ` +
      '2026-11-01T02:00, or RFC 3339 such as 2026-11-01T02:00:00Z',
  );

/** How far the clocks of a zone are ahead of UTC. A zone that this runtime does not know counts as UTC. */
function offsetMs(atMs: number, zone: string | undefined): number {
  const [, sign, hours = 0, minutes = 0, seconds = 0] =
    OFFSET.exec(localText(new Date(atMs).toISOString(), zone) ?? '') ?? [];
  const ms = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000;
  return sign === '-' ? -ms : ms;
}
