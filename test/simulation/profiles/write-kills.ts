import type { FakeRandom } from '../../support/fake-random';
import type { Stage } from '../faults';
import type { BetweenKill, WriteKill, WriteKind } from '../write-kills';
import type { Action, ClientAction } from '../workload';
import { MINUTE_MS, profileOf, some, withActions, withEachJob } from './draws';

/** What each stage writes, the frequent and the critical ones more than once. */
const WRITES: readonly (readonly [Stage, readonly WriteKind[]])[] = [
  ['api', ['entry', 'entry', 'job', 'job', 'row', 'message', 'ticket']],
  ['scanner', ['entry', 'entry', 'message', 'row', 'cursor']],
  ['executor', ['row', 'row', 'entry', 'entry', 'lock', 'ticket', 'message']],
  ['executor', ['row', 'entry', 'lock', 'ticket', 'message']],
  ['sweeper', ['entry', 'row', 'message', 'lock', 'ticket', 'cursor']],
];
const KILLS = 50;

/** Two writes of a stage whose order the protocol needs. */
const PAIRS: readonly (readonly [Stage, readonly [WriteKind, WriteKind]])[] = [
  ['api', ['entry', 'job']],
  ['api', ['entry', 'row']],
  ['api', ['entry', 'message']],
  ['api', ['ticket', 'message']],
  ['scanner', ['entry', 'message']],
  ['scanner', ['ticket', 'message']],
  ['executor', ['entry', 'row']],
  ['executor', ['row', 'lock']],
  ['executor', ['row', 'ticket']],
  ['sweeper', ['entry', 'cursor']],
];
const KILLS_BETWEEN = 30;
/** Pairs of writes for what fell due while ticks stopped. */
const MISFIRE_PAIRS: typeof PAIRS = [
  ['scanner', ['catch-up', 'entry']],
  ['scanner', ['row', 'entry']],
  ['sweeper', ['catch-up', 'entry']],
  ['sweeper', ['row', 'entry']],
];
/** Few: a repeated scan has to come through. */
const KILLS_AFTER_OUTAGE = 3;
/** What each change of a job plans is dispatched by the API itself, minutes ahead: it then never misfires. */
const CHANGES: readonly Action[] = ['create', 'put', 'patch', 'pause', 'resume', 'delete'];
/**
 * Of calm outages. The repeat of a scan comes a minute later, and has to find the next entry still ahead.
 * Otherwise it decides on everything again, and repairs what was written in the wrong order.
 */
const CALM_SCHEDULES = [
  { type: 'interval', every: '3m' },
  { type: 'interval', every: '4m' },
  { type: 'interval', every: '5m' },
  { type: 'cron', expression: '*/3 * * * *' },
] as const;
/** These do nothing while ticks stop. Their kills would wait, and strike all at once when ticks are back. */
const WITHOUT_TICKS: readonly Stage[] = ['scanner', 'sweeper'];
const LASTS_MS = 15 * MINUTE_MS;

/** Ticks stop for a while. */
interface Outage {
  fromMs: number;
  untilMs: number;
  /** No job changes from then on: the scanner finds a misfire of several occurrences for most of them. */
  isCalm: boolean;
}

function drawOutage(random: FakeRandom): Outage {
  const isCalm = random.fraction() < 0.5;
  const fromMs = random.between(MINUTE_MS / 2, 2 * MINUTE_MS);
  const lastsMs = isCalm ? random.between(11, 12) * MINUTE_MS : random.between(6, 7) * MINUTE_MS;
  return { fromMs, untilMs: fromMs + lastsMs, isCalm };
}

const isIn = ({ fromMs, isCalm }: Outage, { action, atMs }: ClientAction): boolean =>
  isCalm && atMs > fromMs && CHANGES.includes(action);

export function killAtWrite(
  random: FakeRandom,
  id: number,
  untilMs: number,
  kinds: typeof WRITES = WRITES,
): WriteKill {
  const [stage, writes] = random.pick(kinds);
  return {
    id,
    kind: 'kill-at-write',
    fromMs: random.between(MINUTE_MS / 3, untilMs),
    stage,
    write: random.pick(writes),
    nth: random.between(1, 3),
    side: random.pick(['before', 'after']),
  };
}

const killBetween = (id: number, [stage, writes]: (typeof PAIRS)[number], fromMs: number): BetweenKill => ({
  id,
  kind: 'kill-between',
  fromMs,
  stage,
  writes,
});

/**
 * Nodes die right before or after one write of a kind, and exactly between two that belong together. Ticks
 * stop for a while, so that stages also write what a misfire needs. In half of the seeds that lasts longer,
 * and no job changes. The scanner then decides on minutes of each job at once. Without an auditor, which
 * would repair what the others leave.
 */
export const writeKills = profileOf(
  ({ random, plan, window, actions }) => {
    const outage = drawOutage(random);
    const { fromMs, untilMs, isCalm } = outage;
    const gated = withEachJob(plan, () => ({
      ...(isCalm && { schedule: random.pick(CALM_SCHEDULES) }),
      overlap: random.pick(['allow', 'skip', 'queue', 'replace']),
      orderingKey: random.pick([null, null, 'key-1', 'key-2']),
      misfire: {
        policy: random.pick(isCalm ? ['fire-all', 'skip', 'skip', 'skip'] : ['fire-all', 'skip']),
        grace: '60s',
        catchUpWindow: '1h',
      },
    }));
    const ids = (count: number, first: number) => Array.from({ length: count }, (_, index) => first + index);
    return {
      withoutAuditor: true,
      // One message may meet all kills of executors, and dead letters would count as broken.
      redrive: { afterReceives: KILLS + KILLS_BETWEEN, everyMs: 10 * MINUTE_MS },
      faults: [
        ...some(random, isCalm ? 1 : 0.7, () => [
          { id: 0, kind: 'ticks-stop', fromMs, untilMs },
          ...(isCalm
            ? MISFIRE_PAIRS
            : Array.from({ length: KILLS_AFTER_OUTAGE }, () => random.pick(MISFIRE_PAIRS))
          ).map((pair, index) => killBetween(3_000 + index, pair, untilMs - MINUTE_MS)),
        ]),
        window('tick-doubled', 0.8),
        window('target-fails', 0.3),
        window('target-slow', 0.2),
        ...[
          ...ids(KILLS, 1_000).map((id) => killAtWrite(random, id, plan.healMs)),
          ...ids(KILLS_BETWEEN, 2_000).map((id) =>
            killBetween(id, random.pick(PAIRS), random.between(MINUTE_MS / 3, plan.healMs)),
          ),
        ].filter(({ stage }) => !isCalm || !WITHOUT_TICKS.includes(stage)),
      ],
      actions: withActions(
        { ...plan, actions: gated },
        actions(['patch', 'pause', 'resume', 'resume', 'run', 'retry', 'cancel'], 60),
      ).filter((action) => !isIn(outage, action)),
    };
  },
  { lastsMs: LASTS_MS },
);
