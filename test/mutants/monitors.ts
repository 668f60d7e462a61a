import type { Mutant } from './mutant';

const MONITORS = 'test/integration/pipeline/monitors.test.ts';
const LATE = 'test/integration/pipeline/late-pings.test.ts';
const PINGS = 'test/integration/pipeline/monitor-pings.test.ts';
const RECHECK = 'lambdas/sweeper/recheck-monitored.ts';
const TAKE = 'lambdas/ping/take-ping.ts';

/** Faults in what waits for pings. */
export const monitorMutants: readonly Mutant[] = [
  {
    name: 'an occurrence of a monitor is decided when it is due',
    file: 'lambdas/core/domain/entry-planning.ts',
    find: 'checkAtMs: Math.max(throughMs + decidedAfterMs(job), at.nowMs),',
    replace: 'checkAtMs: Math.max(throughMs, at.nowMs),',
    killedBy: PINGS,
    test: 'costs',
  },
  {
    name: 'a missed ping that is found late is passed over',
    file: RECHECK,
    find: "    ? { is: 'missed' }\n",
    replace: "    ? { is: deps.clock.nowMs() > limitMs + 3_600_000 ? 'none' : 'missed' }\n",
    killedBy: MONITORS,
    test: 'after an outage',
  },
  {
    name: 'an occurrence that a pause has found waiting has missed its ping',
    file: RECHECK,
    find: 'limitMs >= changedAtMs',
    replace: 'limitMs < 0',
    killedBy: MONITORS,
    test: 'while it is paused',
  },
  {
    name: 'a stop does not lengthen the wait for a ping',
    file: RECHECK,
    find: 'const limitMs = await limitWithoutStops({ fromMs: dueAtMs, withinMs }, deps);',
    replace: 'const limitMs = dueAtMs + withinMs; void limitWithoutStops;',
    killedBy: MONITORS,
    test: 'by the time of a stop',
  },
  {
    name: 'a ping for a paused monitor counts',
    file: TAKE,
    find: "if (job.status === 'paused' && decision.do !== 'end')",
    replace: 'if (job.status !== job.status)',
    killedBy: MONITORS,
    test: 'while it is paused',
  },
  {
    name: 'a run that a ping has started is never rechecked',
    file: TAKE,
    find: '    await deps.schedule.putEntries([entry]);\n',
    replace: '    void entry;\n',
    killedBy: MONITORS,
    test: 'between two due times',
  },
  {
    name: 'the end by a ping gets no recheck, so that no notification is told',
    file: 'lambdas/core/ending/end-without-follow-ups.ts',
    find: 'ended.ping !== undefined || ',
    replace: '',
    killedBy: MONITORS,
    test: 'recovers with a ping of its own',
  },
  {
    name: 'a ping that comes too late is not heard before the sweep',
    file: TAKE,
    find: "if (seen.missed && isEnd(ping.signal) && decision.do !== 'end')",
    replace: 'if (seen.missed && !isEnd(ping.signal))',
    killedBy: LATE,
    test: 'that comes too late',
  },
  {
    name: 'a success right after a failure recovers nothing',
    file: TAKE,
    find: "!last || !(last.status === 'failed' || last.pace)",
    replace: '!last || !last.pace',
    killedBy: LATE,
    test: 'that comes too late',
  },
  {
    name: 'an end that has no id ends the run of another sender',
    file: 'lambdas/ping/decide-ping.ts',
    find: '(rid === undefined ? !isUuid(row.claimId) : row.claimId === rid)',
    replace: '(row.claimId !== undefined)',
    killedBy: MONITORS,
    test: 'pairs the pings of each',
  },
  {
    name: 'an earlier ping URL works for ever',
    file: 'lambdas/core/api-keys/ping-key.ts',
    find: 'nowMs < earlierUntilMs ?',
    replace: 'earlierUntilMs >= 0 ?',
    killedBy: PINGS,
    test: 'after a rotation',
  },
];
