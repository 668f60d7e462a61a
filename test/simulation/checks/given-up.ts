import type { GivenUpRecord } from '../log';
import type { Story } from '../story';
import { broken, clockTime, type Violation } from '../violation';

/**
 * A write that is given up ends. A try that was on its way may still land. No try begins later: by then its
 * client may have seen that nothing happened, and an entry may lie behind the sweep.
 */
export const checkGivenUp = ({ records }: Pick<Story, 'records'>): Violation[] =>
  records.flatMap((record) => {
    if (record.src !== 'store' || !isBegunLate(record)) return [];
    const { node, command, table, by, begunMs, givenUpMs } = record;
    const what = `${command} on ${table} by ${node}, begun at ${clockTime(begunMs)}`;
    return [broken('given-up', `${what}: given up at ${clockTime(givenUpMs)} by its ${by}`)];
  });

/** A node may die at the instant at which it begins a write. Else, no time was left at such an instant. */
const isBegunLate = ({ by, begunMs, givenUpMs }: GivenUpRecord): boolean =>
  by === 'answer' ? begunMs > givenUpMs : begunMs >= givenUpMs;
