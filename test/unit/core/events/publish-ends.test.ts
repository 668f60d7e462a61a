import type { LifecycleChoice, LifecycleDetail } from '../../../../lambdas/core/contracts/events';
import type { Reason } from '../../../../lambdas/core/domain/reason';
import type { TerminalStatus } from '../../../../lambdas/core/domain/transitions';
import type { LifecycleEvent } from '../../../../lambdas/core/events/lifecycle-event';
import { endPublisher } from '../../../../lambdas/core/events/publish-ends';
import { anExecution, T0_MS } from '../../../support/factories';

const { execId } = anExecution();
const MINUTE_MS = 60_000;

function publisher(choice: LifecycleChoice = 'all') {
  const events: LifecycleEvent<LifecycleDetail>[] = [];
  const put = (event: LifecycleEvent) => void events.push(event as LifecycleEvent<LifecycleDetail>);
  const publish = endPublisher({ put }, choice);
  return { publish, events, types: () => events.map(({ type }) => type) };
}

const ended = (status: TerminalStatus, reason?: Reason) =>
  anExecution({ status, reason, fence: 1, finishedAtMs: T0_MS + 700 });

test.each([
  ['succeeded', undefined, 'execution.completed'],
  ['failed', 'fatal', 'execution.failed'],
  ['failed', 'blocked-target', 'execution.failed'],
  ['failed', 'attempts-exhausted', 'execution.exhausted'],
  ['failed', 'max-age', 'execution.exhausted'],
  ['failed', 'crashed', 'execution.exhausted'],
  ['failed', 'unknown-job', 'execution.exhausted'],
  ['failed', 'bad-payload', 'execution.failed'],
  ['skipped', 'paused', 'execution.skipped'],
  ['cancelled', 'deleted', 'execution.cancelled'],
] as const)('an end as %s (%s) is published as %s', (status, reason, type) => {
  const { publish, events } = publisher();
  publish(ended(status, reason));
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

test('the same end again is the same event, under the same id', () => {
  const { publish, events } = publisher();
  publish(ended('failed', 'fatal'));
  publish(ended('failed', 'fatal'));
  expect(events[1]).toEqual(events[0]);
});

test('the event of a run that was moved has the due time that its row has now', () => {
  const { publish, events } = publisher();
  publish({ ...ended('succeeded'), dueAtMs: T0_MS + MINUTE_MS });
  expect(events).toMatchObject([{ detail: { execId, dueAt: '2026-12-01T08:31:00.000Z' } }]);
});

test('a skipped range is one event, with its bounds', () => {
  const { publish, events } = publisher();
  const skipped = { fromMs: T0_MS, toMs: T0_MS + MINUTE_MS, count: 2 };
  publish({ ...ended('skipped', 'misfire'), skipped });
  expect(events.map(({ detail }) => detail.skipped)).toEqual([
    { from: '2026-12-01T08:30:00.000Z', to: '2026-12-01T08:31:00.000Z', count: 2 },
  ]);
});

test('an execution that has not ended is not published', () => {
  const { publish, events } = publisher();
  publish(anExecution({ status: 'running' }));
  publish(anExecution({ status: 'retrying' }));
  expect(events).toEqual([]);
});

test('by default only ends that the user did not ask for are published', () => {
  const { publish, types } = publisher('failures');
  publish(ended('succeeded'));
  publish(ended('cancelled', 'cancelled-by-user'));
  publish(ended('skipped', 'paused'));
  publish(ended('skipped', 'superseded'));
  publish(ended('failed', 'fatal'));
  publish(ended('skipped', 'misfire'));
  expect(types()).toEqual(['execution.failed', 'execution.skipped']);
});

test('switched off, nothing is published', () => {
  const { publish, types } = publisher('off');
  publish(ended('failed', 'fatal'));
  expect(types()).toEqual([]);
});
