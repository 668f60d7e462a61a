import type { Stage } from '../faults';
import type { WriteKill, WriteKind } from '../write-kills';
import { MINUTE_MS, profileOf, withActions, withEachJob } from './draws';

/** What each stage writes, the frequent and the critical ones more than once. */
const WRITES: readonly (readonly [Stage, readonly WriteKind[]])[] = [
  ['api', ['entry', 'entry', 'job', 'job', 'row', 'message', 'ticket']],
  ['scanner', ['entry', 'entry', 'message', 'row', 'cursor']],
  ['executor', ['row', 'row', 'entry', 'entry', 'lock', 'ticket', 'message']],
  ['executor', ['row', 'entry', 'lock', 'ticket', 'message']],
  ['sweeper', ['entry', 'row', 'message', 'lock', 'ticket', 'cursor']],
];
const KILLS = 70;

/**
 * Nodes die right before or after one write of a kind: between any two writes that belong together. Without
 * an auditor, which would repair what the others leave.
 */
export const writeKills = profileOf(({ random, plan, window, actions }) => {
  const gated = withEachJob(plan, () => ({
    overlap: random.pick(['allow', 'skip', 'queue', 'replace']),
    orderingKey: random.pick([null, null, 'key-1', 'key-2']),
  }));
  const kills = Array.from({ length: KILLS }, (_, index): WriteKill => {
    const [stage, writes] = random.pick(WRITES);
    return {
      id: 1_000 + index,
      kind: 'kill-at-write',
      fromMs: random.between(MINUTE_MS / 3, plan.healMs),
      stage,
      write: random.pick(writes),
      nth: random.between(1, 3),
      side: random.pick(['before', 'after']),
    };
  });
  return {
    withoutAuditor: true,
    faults: [window('target-fails', 0.3), window('target-slow', 0.2), ...kills],
    actions: withActions(
      { ...plan, actions: gated },
      actions(['patch', 'pause', 'resume', 'resume', 'run', 'retry', 'cancel'], 60),
    ),
  };
});
