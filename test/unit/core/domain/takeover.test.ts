import type { AttemptRecord, Execution } from '../../../../lambdas/core/domain/execution';
import { MAX_TAKEOVERS } from '../../../../lambdas/core/domain/lease';
import { decideTakeover, lostRecords, type Takeover } from '../../../../lambdas/core/domain/takeover';
import { aJob, anAttempt, anExecution, aTarget, T0_MS } from '../../../support/factories';

const NOW_MS = T0_MS + 60_000;
const retry = { maxAttempts: 3, initialDelay: '10s', maxDelay: '1h', multiplier: 2, maxAge: '24h' };
const delegatedTo = { heartbeatWithinMs: 30_000, endsAtMs: T0_MS + 300_000 };
const stale = (change: Partial<Execution> = {}): Execution =>
  anExecution({ status: 'running', dueAtMs: T0_MS, fence: 1, failures: 1, attempts: [], ...change });

const reported = (outcome: AttemptRecord['outcome'], target: number): AttemptRecord =>
  anAttempt({ outcome, target, fence: 1 });

test.each<[string, Execution, { retry: typeof retry } | undefined, Takeover]>([
  [
    'a lost executor: at once again, and no attempt of the user is used up',
    stale(),
    { retry },
    { decision: 'retry', startAtMs: NOW_MS, failures: 1, takeovers: 1 },
  ],
  [
    'also where the job is gone: the recheck of the next attempt ends it',
    stale(),
    undefined,
    { decision: 'retry', startAtMs: NOW_MS, failures: 1, takeovers: 1 },
  ],
  [
    'the fourth in a row',
    stale({ takeovers: MAX_TAKEOVERS - 2 }),
    { retry },
    { decision: 'retry', startAtMs: NOW_MS, failures: 1, takeovers: MAX_TAKEOVERS - 1 },
  ],
  [
    'the fifth in a row: it crashes its executors',
    stale({ takeovers: MAX_TAKEOVERS - 1 }),
    { retry },
    { decision: 'end', status: 'failed', reason: 'crashed' },
  ],
  [
    'a delegated lease that ran out: a failed attempt, by the retry policy',
    stale({ delegatedTo, takeovers: 2 }),
    { retry },
    { decision: 'retry', startAtMs: NOW_MS + 10_000, failures: 2, takeovers: 0 },
  ],
  [
    'a delegated lease, after the last attempt',
    stale({ delegatedTo, failures: 2 }),
    { retry },
    { decision: 'end', status: 'failed', reason: 'attempts-exhausted' },
  ],
  [
    'a delegated lease, beyond the maximum age',
    stale({ delegatedTo }),
    { retry: { ...retry, maxAge: '61s' } },
    { decision: 'end', status: 'failed', reason: 'max-age' },
  ],
  [
    'a delegated lease of a job that is gone: there is no policy to follow, also once it is restored',
    stale({ delegatedTo }),
    undefined,
    { decision: 'end', status: 'cancelled', reason: 'deleted' },
  ],
  [
    'the run of a monitor whose end no ping has told',
    stale({ delegatedTo: { ...delegatedTo, byPing: true } }),
    { retry },
    { decision: 'end', status: 'failed', reason: 'timed-out' },
  ],
  [
    'the run of a monitor that is deleted, and whose URL takes no end',
    stale({ delegatedTo: { ...delegatedTo, byPing: true } }),
    undefined,
    { decision: 'end', status: 'cancelled', reason: 'deleted' },
  ],
  [
    'one of several targets reported a failure before the executor died: a failed attempt',
    stale({ attempts: [reported('succeeded', 0), reported('retriable', 1)] }),
    { retry },
    { decision: 'retry', startAtMs: NOW_MS + 10_000, failures: 2, takeovers: 0 },
  ],
  [
    'one of several targets failed for good',
    stale({ attempts: [reported('fatal', 1)] }),
    { retry },
    { decision: 'end', status: 'failed', reason: 'fatal' },
  ],
  [
    'an earlier attempt failed',
    stale({ attempts: [{ ...reported('retriable', 1), fence: 0 }] }),
    { retry },
    { decision: 'retry', startAtMs: NOW_MS, failures: 1, takeovers: 1 },
  ],
  [
    'a request to cancel goes before all',
    stale({ cancelRequested: { reason: 'overlap', atMs: T0_MS }, takeovers: MAX_TAKEOVERS - 1 }),
    { retry },
    { decision: 'end', status: 'cancelled', reason: 'overlap' },
  ],
])('%s', (_, execution, job, expected) => {
  expect(decideTakeover(execution, job, { nowMs: NOW_MS, fraction: () => 0.5 })).toEqual(expected);
});

describe('the records of a lost attempt', () => {
  const FENCE = 4;
  const done = (target: number, outcome: AttemptRecord['outcome'], fence: number): AttemptRecord => ({
    attempt: 1,
    fence,
    startedAtMs: 0,
    finishedAtMs: 1,
    outcome,
    target,
  });
  const running = (change: Partial<Execution>) =>
    stale({ fence: FENCE, attempt: 2, claimedAtMs: T0_MS, heartbeatAtMs: T0_MS + 8_000, ...change });
  const several = aJob({ targets: [aTarget(), aTarget(), aTarget()] });

  test.each<[string, Execution, typeof several | undefined, number[]]>([
    ['one target', running({}), undefined, [0]],
    ['several: each', running({}), several, [0, 1, 2]],
    [
      'not those that had succeeded before',
      running({ attempts: [done(1, 'succeeded', 1)] }),
      several,
      [0, 2],
    ],
    [
      'not those on record for this attempt',
      running({ attempts: [done(0, 'retriable', FENCE)] }),
      several,
      [1, 2],
    ],
    [
      'those that failed in an earlier attempt',
      running({ attempts: [done(0, 'retriable', 1)] }),
      several,
      [0, 1, 2],
    ],
    [
      'delegated: those that had accepted',
      running({ delegatedTo: { ...delegatedTo, targets: [1, 2] }, attempts: [done(1, 'succeeded', FENCE)] }),
      several,
      [2],
    ],
    ['of a deleted job: the first, if none is on record', running({}), undefined, [0]],
    [
      'of a deleted job: those that are known by their records',
      running({ attempts: [done(1, 'succeeded', 1), done(2, 'retriable', 1), done(0, 'succeeded', 1)] }),
      undefined,
      [2],
    ],
    [
      'of a job that has fewer targets now: what was open',
      running({ attempts: [done(0, 'succeeded', 1), done(1, 'succeeded', 1), done(2, 'retriable', 1)] }),
      aJob({}),
      [2],
    ],
    [
      'one that is not known, if all that are known have succeeded',
      running({ attempts: [done(0, 'succeeded', 1)] }),
      undefined,
      [1],
    ],
    [
      'nothing, if its targets have reported',
      running({ attempts: [done(0, 'succeeded', FENCE), done(1, 'retriable', FENCE)] }),
      aJob({ targets: [aTarget(), aTarget()] }),
      [],
    ],
  ])('%s', (_, execution, job, targets) => {
    expect(lostRecords(execution, job, NOW_MS).map(({ target }) => target)).toEqual(targets);
  });

  test('say since when there was no heartbeat', () => {
    expect(lostRecords(running({}), undefined, NOW_MS)).toEqual([
      {
        attempt: 2,
        fence: FENCE,
        startedAtMs: T0_MS,
        finishedAtMs: NOW_MS,
        outcome: 'lost',
        target: 0,
        error: 'no heartbeat since 2026-12-01T08:30:08.000Z',
      },
    ]);
  });

  test('say that nothing came from a worker whose time is over', () => {
    const toWorker = { heartbeatWithinMs: 600_000, endsAtMs: T0_MS + 30_000, toWorker: true } as const;
    const recordsAt = (heartbeatAtMs: number) =>
      lostRecords(running({ delegatedTo: toWorker, heartbeatAtMs }), undefined, NOW_MS);
    expect(recordsAt(T0_MS)).toMatchObject([{ outcome: 'retriable', unheard: true }]);
    expect(recordsAt(T0_MS + 1)[0]).toMatchObject({ outcome: 'retriable' });
    expect(recordsAt(T0_MS + 1)[0]).not.toHaveProperty('unheard');
  });

  test('say that the time of the job is over', () => {
    const late = delegatedTo.endsAtMs + 1;
    expect(lostRecords(running({ delegatedTo }), undefined, late)[0]).toMatchObject({
      outcome: 'retriable',
      error: 'timed out after 300000 ms (job timeout)',
    });
  });
});
