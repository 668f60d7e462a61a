import type { LifecycleChoice } from '../../../../lambdas/core/contracts/events';
import { type LifecycleEvent, lifecycleEvent } from '../../../../lambdas/core/events/lifecycle-event';
import { waitingPublisher } from '../../../../lambdas/core/events/publish-ends';
import { T0_MS } from '../../../support/factories';

const RUN = '20261201T083000.000Z';
const APPROVAL = {
  kind: 'approval',
  jobKey: 'alice/etl',
  execId: `${RUN}/release`,
  sinceMs: T0_MS,
  untilMs: T0_MS + 60_000,
  note: 'rows of {{ secret }}',
  expiresAtSec: 1_800_000_000,
} as const;

function published(choice: LifecycleChoice, waiting: object = {}): LifecycleEvent[] {
  const events: LifecycleEvent[] = [];
  waitingPublisher({ put: (event) => void events.push(event) }, choice)({ ...APPROVAL, ...waiting });
  return events;
}

test('an approval that is due is published with its task and its time, and without its note', () => {
  expect(published('failures')).toEqual([
    {
      type: 'task.waiting',
      atMs: T0_MS,
      detail: {
        version: 1,
        id: `alice/etl#${RUN}/release#waiting`,
        userId: 'alice',
        jobId: 'etl',
        execId: RUN,
        task: { taskId: 'release', round: 1 },
        since: '2026-12-01T08:30:00.000Z',
        until: '2026-12-01T08:31:00.000Z',
      },
    },
  ]);
});

test('it is published with all events too, and not if events are off', () => {
  expect(published('all')).toHaveLength(1);
  expect(published('off')).toEqual([]);
});

test('each round of an approval has an event of its own', () => {
  const [again] = published('all', { execId: `${RUN}/release~2`, untilMs: undefined });
  expect(again!.detail).toMatchObject({ task: { taskId: 'release', round: 2 }, until: null });
  expect(again!.detail.id).not.toBe(published('all')[0]!.detail.id);
});

test('the end of a child names the task that started it', () => {
  const parent = { jobKey: 'alice/etl', execId: RUN, task: 'load', round: 1 };
  const ended = {
    jobKey: 'alice/copy',
    execId: RUN,
    dueAtMs: T0_MS,
    status: 'failed',
    finishedAtMs: T0_MS,
    fence: 1,
  } as const;
  const of = (more: object) => lifecycleEvent({ ...ended, ...more }, 'failures')!.detail;
  expect(of({ parent }).parent).toEqual({ jobId: 'etl', execId: RUN, taskId: 'load' });
  expect(of({})).not.toHaveProperty('parent');
});
