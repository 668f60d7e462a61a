import { FakeRandom } from '../../../support/fake-random';
import type { Fault, WindowKind } from '../../faults';
import type { WriteKind } from '../../write-kills';
import type { Stage } from '../../stages';
import { type Draws, MINUTE_MS } from '../draws';
import { killAtWrite } from '../write-kills';

/** Seeds without a fault: a pair of features may break a promise by itself. */
const CALM = 0.35;
const KILLS_AT_WRITES = 14;

const WRITES: readonly (readonly [Stage, readonly WriteKind[]])[] = [
  ['api', ['entry', 'job', 'row', 'message', 'ticket', 'calendar']],
  ['executor', ['row', 'row', 'entry', 'lock', 'ticket', 'message']],
  ['sweeper', ['entry', 'row', 'message', 'lock', 'ticket', 'cursor']],
  ['scanner', ['entry', 'message', 'row', 'cursor']],
];

/** Drawn apart, so that no other draw changes. */
const APART = 107_000;
/** What else happens to errands, and to workers: the kind, and its rate. */
const OF_ERRANDS: readonly (readonly [WindowKind, number])[] = [
  ['errand-refused', 0.05],
  ['errand-start-lost', 0.1],
  ['errand-name-taken', 0.5],
  ['errand-host-lost', 0.2],
  ['errand-slow', 0.1],
  ['errand-aborted', 0.03],
  ['event-doubled', 0.2],
  ['event-late', 0.2],
  ['probe-denied', 0.2],
  ['probe-throttled', 0.1],
  ['worker-answer-lost', 0.1],
  ['worker-answer-late', 0.1],
];
const WATCHER_KILLS = 4;

/** Those come last, and each by itself, where there are other faults. */
export function drawFaultsOfErrands({ plan, window, kills }: Draws): Fault[] {
  const random = new FakeRandom(APART + plan.seed);
  return [
    ...OF_ERRANDS.filter(() => random.fraction() < 0.4).map(([kind, rate]) => window(kind, rate)),
    ...(random.fraction() < 0.3 ? kills(WATCHER_KILLS, 'watcher', 10) : []),
  ];
}

/** Few faults of many kinds, each drawn by itself. */
export function drawFaults({ random, plan, window, freezes, kills }: Draws): Fault[] {
  if (random.fraction() < CALM) return drawStops(random);
  const one = (probability: number, draw: () => Fault[]): Fault[] =>
    random.fraction() < probability ? draw() : [];
  return [
    ...one(0.6, () => [window('target-fails', 0.2)]),
    ...one(0.4, () => [window('target-refuses', 0.1)]),
    ...one(0.4, () => [window('target-slow', 0.1)]),
    ...one(0.2, () => [window('target-hangs', 0.05)]),
    ...one(0.2, () => [window('target-asks-to-wait', 0.1)]),
    ...one(0.4, () => [window('queue-lost', 0.08)]),
    ...one(0.4, () => [window('queue-duplicated', 0.2)]),
    ...one(0.3, () => [window('queue-delayed', 0.1)]),
    ...one(0.3, () => [window('store-answer-lost', 0.03)]),
    ...one(0.3, () => [window('store-slow', 0.1)]),
    ...one(0.3, () => [window('store-conflict', 0.05)]),
    ...one(0.3, () => [window('worker-dies', 0.08)]),
    ...one(0.3, () => [window('worker-freezes', 0.06)]),
    ...one(0.3, () => [window('worker-releases', 0.25)]),
    ...one(0.5, () => kills(6, 'executor', 20)),
    ...one(0.3, () => kills(3, 'sweeper', 25)),
    ...one(0.3, () => kills(4, 'api', 14)),
    ...one(0.2, () => kills(4, 'worker', 24)),
    ...one(0.4, () => freezes(4, 'executor', 18)),
    ...one(0.5, () =>
      Array.from({ length: KILLS_AT_WRITES }, (_, index) =>
        killAtWrite(random, 1_000 + index, plan.healMs, WRITES),
      ),
    ),
    window('errand-answer-lost', 0.1),
    window('errand-fails', 0.1),
    window('event-lost', 0.3),
    window('probe-stale', 0.3),
    ...drawStops(random),
  ];
}

/** The tick stops by itself for some minutes, or operators stop the deployment. */
function drawStops(random: FakeRandom): Fault[] {
  const fromMs = random.between(1, 4) * MINUTE_MS;
  const kind = random.fraction();
  if (kind < 0.2) return [{ id: 900, kind: 'ticks-stop', fromMs, untilMs: fromMs + 5 * MINUTE_MS }];
  if (kind < 0.55) return [{ id: 901, kind: 'maintenance', fromMs, untilMs: fromMs + 2 * MINUTE_MS }];
  return [];
}
