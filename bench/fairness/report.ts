import { type Machine, machineLine } from '../support/machine';
import { say, table } from '../support/output';
import { percentile } from '../support/percentiles';
import type { Arrival } from '../support/receiver';

/** The goal for the p99 beside a burst, divided by the p99 alone. */
const MOST = 1.2;

/** The quiet user's jobs of one period. */
export interface Period {
  expected: number;
  latenessMs: readonly number[];
  before: Machine;
  after: Machine;
}

/** Seconds after which half of the arrived jobs, and all of them, had arrived. */
interface Crowd {
  arrived: number;
  halfSec: number;
  lastSec: number;
}

export interface Pair {
  alone: Period;
  crowded: Period;
  crowd: Crowd;
}

export function crowdOf(arrivals: readonly Arrival[]): Crowd {
  const late = arrivals.map(({ latenessMs }) => latenessMs);
  return {
    arrived: late.length,
    halfSec: percentile(late, 0.5) / 1_000,
    lastSec: Math.max(...late) / 1_000,
  };
}

/** p99 beside the burst, divided by the p99 alone. */
const ratioOf = (alone: readonly number[], crowded: readonly number[]): number =>
  Math.round((100 * percentile(crowded, 0.99)) / percentile(alone, 0.99)) / 100;

export function summaryOf(pairs: readonly Pair[]) {
  const alone = pairs.flatMap((pair) => pair.alone.latenessMs);
  const crowded = pairs.flatMap((pair) => pair.crowded.latenessMs);
  const ratio = ratioOf(alone, crowded);
  return {
    aloneP99Ms: percentile(alone, 0.99),
    crowdedP99Ms: percentile(crowded, 0.99),
    ratio,
    isReached: ratio <= MOST,
    ratios: pairs.map((pair) => ratioOf(pair.alone.latenessMs, pair.crowded.latenessMs)),
  };
}

export function report(jobs: number, pairs: readonly Pair[]): void {
  for (const { alone, crowded } of pairs)
    for (const [name, { before, after }] of Object.entries({ alone, crowded }))
      say(`${name}: ${machineLine(before)}; load ${after.load} at the end`);
  say();
  const rows = pairs.flatMap(({ alone, crowded }) =>
    Object.entries({ alone, [`beside ${jobs}`]: crowded }).map(([name, { expected, latenessMs }]) => [
      name,
      expected,
      latenessMs.length,
      percentile(latenessMs, 0.5),
      percentile(latenessMs, 0.99),
      Math.max(...latenessMs),
    ]),
  );
  say(table(['quiet user', 'expected', 'arrived', 'p50 ms', 'p99 ms', 'max ms'], rows));
  say();
  for (const { crowd } of pairs)
    say(
      `The crowd: ${crowd.arrived} of ${jobs} arrived, half of these after ${crowd.halfSec.toFixed(1)} s, the last after ${crowd.lastSec.toFixed(1)} s.`,
    );
  const { aloneP99Ms, crowdedP99Ms, ratio, ratios, isReached } = summaryOf(pairs);
  say(`p99 of all periods: ${aloneP99Ms} ms alone, ${crowdedP99Ms} ms beside the crowd.`);
  if (pairs.length > 1) say(`Ratios of the pairs: ${ratios.join(', ')}.`);
  say(`p99 of the quiet user: ${ratio} times what it is alone (${isReached ? 'within' : 'above'} ${MOST}).`);
}
