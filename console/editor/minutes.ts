import type { Schedule } from '../../client/browser';
import { zoneOf } from '../planning/short-form';
import { isZone } from '../time/format';

/** The zone of a schedule while it is typed; UTC without one, and until it is one. */
export function typedZone(schedule: Schedule | undefined): string {
  const zone = schedule && zoneOf(schedule);
  return zone !== undefined && isZone(zone) ? zone : 'UTC';
}

/** The expression at another minute; undefined if its minute is not a single number. */
export function atMinute(expression: string, minute: number): string | undefined {
  const fields = expression.trim().split(/\s+/);
  return fields.length === 5 && /^\d+$/.test(fields[0]!) ? [minute, ...fields.slice(1)].join(' ') : undefined;
}

/** The index with the lowest count within `reach` of one; the nearest of equals. */
export function quietest(counts: readonly number[], index: number, reach = 10): number {
  let best = index;
  for (let step = 1; step <= reach; step++)
    for (const one of [index + step, index - step])
      if ((counts[one] ?? Infinity) < (counts[best] ?? Infinity)) best = one;
  return best;
}
