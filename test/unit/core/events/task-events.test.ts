import { lifecycleEvent } from '../../../../lambdas/core/events/lifecycle-event';
import { T0_MS } from '../../../support/factories';

const RUN = '20261201T083000.000Z';
const ended = { jobKey: 'alice/etl', dueAtMs: T0_MS, finishedAtMs: T0_MS, fence: 1 } as const;

test.each([
  ['failed', 'failures', 'task.failed'],
  ['succeeded', 'all', 'task.completed'],
  ['succeeded', 'failures', undefined],
  ['failed', 'off', undefined],
  ['cancelled', 'all', undefined],
  ['skipped', 'all', undefined],
] as const)('a task that has %s, with the choice %s, is published as %s', (status, choice, type) => {
  expect(lifecycleEvent({ ...ended, execId: `${RUN}/load`, status }, choice)?.type).toBe(type);
});

test('a task’s event names its run, the task and its round, and each round has an id of its own', () => {
  const of = (execId: string) => lifecycleEvent({ ...ended, execId, status: 'failed' }, 'failures')!.detail;
  expect(of(`${RUN}/load~2`)).toMatchObject({
    execId: RUN,
    task: { taskId: 'load', round: 2 },
    dueAt: '2026-12-01T08:30:00.000Z',
  });
  expect(of(`${RUN}/load`).id).not.toBe(of(`${RUN}/load~2`).id);
  expect(of(RUN)).not.toHaveProperty('task');
});

test('the event of a run says how its tasks ended, a run without room is a failure', () => {
  const workflow = { failedTasks: ['load'], counts: { succeeded: 1, failed: 1 } };
  const run = lifecycleEvent(
    { ...ended, execId: RUN, status: 'failed', reason: 'task-failed', workflow },
    'failures',
  )!;
  expect([run.type, run.detail.workflow]).toEqual(['execution.failed', workflow]);
  const skipped = { ...ended, execId: RUN, status: 'skipped', reason: 'live-runs' } as const;
  expect(lifecycleEvent(skipped, 'failures')?.type).toBe('execution.skipped');
});
