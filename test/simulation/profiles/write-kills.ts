import type { FakeRandom } from '../../support/fake-random';
import type { Stage } from '../faults';
import type { BetweenKill, WriteKill, WriteKind } from '../write-kills';
import { LASTS_WITH_OUTAGE_MS, MINUTE_MS, profileOf, some, withActions, withEachJob } from './draws';

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
/** The same for what fell due while ticks stopped. */
const MISFIRE_PAIRS: typeof PAIRS = [
  ['scanner', ['catch-up', 'entry']],
  ['scanner', ['row', 'entry']],
  ['sweeper', ['catch-up', 'entry']],
  ['sweeper', ['row', 'entry']],
];
/** Few: a repeated scan has to come through. */
const KILLS_AFTER_OUTAGE = 3;

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

function killBetween(random: FakeRandom, id: number, pairs: typeof PAIRS, fromMs: number): BetweenKill {
  const [stage, writes] = random.pick(pairs);
  return { id, kind: 'kill-between', fromMs, stage, writes };
}

/**
 * Nodes die right before or after one write of a kind, and exactly between two that belong together. Ticks
 * stop for a while, so that stages also write what a misfire needs. Without an auditor, which would repair
 * what the others leave.
 */
export const writeKills = profileOf(
  ({ random, plan, window, actions }) => {
    const gated = withEachJob(plan, () => ({
      overlap: random.pick(['allow', 'skip', 'queue', 'replace']),
      orderingKey: random.pick([null, null, 'key-1', 'key-2']),
      misfire: {
        policy: random.pick(['fire-all', 'skip']),
        grace: '60s',
        catchUpWindow: '1h',
      },
    }));
    const fromMs = random.between(MINUTE_MS / 2, 2 * MINUTE_MS);
    const untilMs = fromMs + random.between(6, 7) * MINUTE_MS;
    const ids = (count: number, first: number) => Array.from({ length: count }, (_, index) => first + index);
    return {
      withoutAuditor: true,
      faults: [
        ...some(random, 0.7, () => [
          { id: 0, kind: 'ticks-stop', fromMs, untilMs },
          ...ids(KILLS_AFTER_OUTAGE, 3_000).map((id) =>
            killBetween(random, id, MISFIRE_PAIRS, untilMs - MINUTE_MS),
          ),
        ]),
        window('tick-doubled', 0.8),
        window('target-fails', 0.3),
        window('target-slow', 0.2),
        ...ids(KILLS, 1_000).map((id) => killAtWrite(random, id, plan.healMs)),
        ...ids(KILLS_BETWEEN, 2_000).map((id) =>
          killBetween(random, id, PAIRS, random.between(MINUTE_MS / 3, plan.healMs)),
        ),
      ],
      actions: withActions(
        { ...plan, actions: gated },
        actions(['patch', 'pause', 'resume', 'resume', 'run', 'retry', 'cancel'], 60),
      ),
    };
  },
  { lastsMs: LASTS_WITH_OUTAGE_MS },
);
