import type { LifecycleChoice } from '../../../../lambdas/core/contracts/events';
import { EXECUTIONS_KEY, JOBS_KEY, SCHEDULE_KEY } from '../../../../lambdas/core/contracts/tables';
import type { Reason } from '../../../../lambdas/core/domain/execution';
import type { TerminalStatus } from '../../../../lambdas/core/domain/transitions';
import { publishingStore } from '../../../../lambdas/core/events/publishing-store';
import type { LifecycleEvent } from '../../../../lambdas/core/events/lifecycle-event';
import { anExecution, T0_MS } from '../../../support/factories';
import { MemoryTables } from '../../../support/dynamo/memory-tables';
import { FakeRandom } from '../../../support/fake-random';
import { FakeClock } from '../../../support/fake-clock';
import { memoryStores } from '../../../support/memory-stores';

function aStore(choice: LifecycleChoice = 'all') {
  const clock = new FakeClock();
  const tables = new MemoryTables({ jobs: JOBS_KEY, executions: EXECUTIONS_KEY, schedule: SCHEDULE_KEY });
  const { executions } = memoryStores(tables, { clock, random: new FakeRandom() });
  const events: LifecycleEvent[] = [];
  const store = publishingStore(executions, { put: (event) => void events.push(event) }, choice);
  return { store, events, types: () => events.map(({ type }) => type) };
}

const { jobKey, execId, dueAtMs } = anExecution();
const CLAIM = {
  jobKey,
  execId,
  trigger: 'schedule',
  dueAtMs,
  attempt: 1,
  claimId: 'claim',
  nowMs: T0_MS,
} as const;
const LEASE = { jobKey, execId, claimId: 'claim', fence: 1, attempt: 1 };
const ending = (status: TerminalStatus, reason?: Reason) => ({
  status,
  reason,
  finishedAtMs: T0_MS + 700,
  expiresAtSec: T0_MS,
});
const skipped = (count: number, reason: Reason = 'misfire') =>
  anExecution({
    status: 'skipped',
    reason,
    fence: 0,
    finishedAtMs: T0_MS + 700,
    skipped: { fromMs: T0_MS, toMs: T0_MS + (count - 1) * 60_000, count },
  });

test.each([
  ['succeeded', undefined, 'execution.completed'],
  ['failed', 'fatal', 'execution.failed'],
  ['failed', 'blocked-target', 'execution.failed'],
  ['failed', 'attempts-exhausted', 'execution.exhausted'],
  ['failed', 'max-age', 'execution.exhausted'],
  ['skipped', 'paused', 'execution.skipped'],
  ['cancelled', 'deleted', 'execution.cancelled'],
] as const)('an end as %s (%s) is told as %s', async (status, reason, type) => {
  const { store, events } = aStore();
  await store.claim(CLAIM);
  await store.finish(LEASE, ending(status, reason), []);
  expect(events).toEqual([
    {
      type,
      atMs: T0_MS + 700,
      detail: {
        version: 1,
        id: expect.stringContaining(execId),
        userId: 'alice',
        jobId: 'nightly-report',
        execId,
        status,
        reason: reason ?? null,
        dueAt: '2026-12-01T08:30:00.000Z',
        finishedAt: '2026-12-01T08:30:00.700Z',
        fence: 1,
        skipped: null,
      },
    },
  ]);
});

test('an end that was not written is not told', async () => {
  const { store, events } = aStore();
  await store.claim(CLAIM);
  expect(await store.finish({ ...LEASE, claimId: 'another' }, ending('succeeded'), [])).toBe('lease-lost');
  expect(events).toEqual([]);
});

test('a takeover that gives up, and a waiting one that is cancelled, are told too', async () => {
  const { store, types } = aStore();
  const claim = await store.claim(CLAIM);
  if (claim.outcome !== 'claimed') throw new Error('refused');
  await store.endStale(claim.execution, ending('failed', 'crashed'), [
    claim.execution.attempts[0] ?? lostAttempt,
  ]);
  const run = {
    ...anExecution(),
    execId: `${execId}-run`,
    trigger: 'manual' as const,
    status: 'queued' as const,
  };
  await store.putQueued({ ...run, attempt: 1, fence: 0, attempts: [] });
  await store.endWaiting({ ...run, attempt: 1, fence: 0 }, ending('cancelled', 'cancelled-by-user'));
  expect(types()).toEqual(['execution.exhausted', 'execution.cancelled']);
});
const lostAttempt = {
  attempt: 1,
  fence: 1,
  startedAtMs: T0_MS,
  finishedAtMs: T0_MS,
  outcome: 'lost' as const,
  target: 0,
};

test.each(['finish', 'endStale'] as const)(
  'the records of several targets are all written: %s',
  async (how) => {
    const { store } = aStore();
    const claim = await store.claim(CLAIM);
    if (claim.outcome !== 'claimed') throw new Error('refused');
    const records = [lostAttempt, { ...lostAttempt, target: 1 }, { ...lostAttempt, target: 2 }];
    if (how === 'finish') await store.finish(LEASE, ending('failed', 'fatal'), records);
    else await store.endStale(claim.execution, ending('failed', 'crashed'), records);
    expect((await store.get({ jobKey, execId }))?.attempts.map(({ target }) => target)).toEqual([0, 1, 2]);
  },
);

test('a skipped range is published once, with its bounds', async () => {
  const { store, events } = aStore();
  await store.putSkipped(skipped(2));
  await store.putSkipped(skipped(2));
  expect(events.map(({ detail }) => detail.skipped)).toEqual([
    { from: '2026-12-01T08:30:00.000Z', to: '2026-12-01T08:31:00.000Z', count: 2 },
  ]);
});

test('by default only failures are published, and a success costs nothing', async () => {
  const { store, types } = aStore('failures');
  const ends: [TerminalStatus, Reason | undefined][] = [
    ['succeeded', undefined],
    ['cancelled', 'cancelled-by-user'],
    ['skipped', 'paused'],
    ['failed', 'fatal'],
  ];
  for (const [index, [status, reason]] of ends.entries()) {
    const id = `${execId}-${index}`;
    await store.claim({ ...CLAIM, execId: id });
    await store.finish({ ...LEASE, execId: id }, ending(status, reason), []);
  }
  await store.putSkipped(skipped(1, 'misfire'));
  await store.putSkipped({ ...skipped(1, 'superseded'), execId: `${execId}-5` });
  expect(types()).toEqual(['execution.failed', 'execution.skipped']);
});

test('switched off, the store is as it was', async () => {
  const { store, types } = aStore('off');
  await store.claim(CLAIM);
  await store.finish(LEASE, ending('failed', 'fatal'), []);
  expect(types()).toEqual([]);
});
