import { ask } from '../../support/run-requests';
import { FAILED, WorkflowWorld } from '../../support/workflow-world';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** A world with the job `ingest`, due once a day at this minute after the start. */
async function withIngest(schedule?: object, fields: object = {}): Promise<WorkflowWorld> {
  const flow = await WorkflowWorld.started();
  const body = {
    schedule: schedule ?? dailyIn(flow, 10),
    target: { type: 'http', url: 'https://example.com/ingest' },
    retry: { maxAttempts: 1 },
    ...fields,
  };
  const { status } = await flow.world.api('putJob', { jobId: 'ingest' }, body);
  expect(status).toBe(201);
  return flow;
}

function dailyIn(flow: WorkflowWorld, minutes: number): object {
  const at = new Date(flow.world.clock.nowMs() + minutes * MINUTE_MS);
  return { type: 'cron', expression: `${at.getUTCMinutes()} ${at.getUTCHours()} * * *` };
}

const JOB = 'ingest';
const AWAIT = { job: JOB, window: 'same-day' };

const save = (flow: WorkflowWorld, awaits: object = {}, fields: object = {}): Promise<void> =>
  flow.save(
    { ingested: { target: null, await: { ...AWAIT, ...awaits } }, load: { dependsOn: ['ingested'] } },
    fields,
  );
const tasksOf = (flow: WorkflowWorld): string[] => flow.called.filter((task) => task !== JOB);
const detail = async (flow: WorkflowWorld, execId: string) =>
  (await ask(flow, 'getTask', { execId, taskId: 'ingested' })).body;

test('a task waits for the run of another job that has not begun, and shows it', async () => {
  const flow = await withIngest();
  await save(flow);
  const execId = await flow.run();
  const dueMs = flow.world.clock.nowMs() + 10 * MINUTE_MS;
  await flow.world.run(5 * MINUTE_MS);
  const waiting = await detail(flow, execId);
  expect(waiting).toMatchObject({ kind: 'await', status: 'queued', reason: 'awaiting' });
  const { occurrences } = waiting.awaited as { occurrences: { dueAt: string }[] };
  expect(occurrences).toEqual([{ dueAt: expect.any(String), execId: null, status: null }]);
  expect(Math.abs(Date.parse(occurrences[0]!.dueAt) - dueMs)).toBeLessThan(MINUTE_MS);
  expect(tasksOf(flow)).toEqual([]);
  await flow.world.run(6 * MINUTE_MS);
  expect(tasksOf(flow)).toEqual(['load']);
  expect(flow.runRow.status).toBe('succeeded');
  const ended = await detail(flow, execId);
  expect(ended).toMatchObject({
    status: 'succeeded',
    result: { body: expect.stringContaining('1 of 1 of ingest') },
  });
  expect(ended).not.toHaveProperty('awaited');
  expect(flow.world.errors()).toEqual([]);
});

test.each([
  [5, 'succeeded'],
  [15, 'failed'],
])('of a job that is paused for %s minutes, what is due later is awaited', async (minutes, status) => {
  const flow = await withIngest();
  const until = new Date(flow.world.clock.nowMs() + minutes * MINUTE_MS).toISOString();
  await flow.world.api('pauseJob', { jobId: JOB }, { until });
  await save(flow);
  await flow.run();
  await flow.world.run(12 * MINUTE_MS);
  expect(flow.runRow.status).toBe(status);
});

test('what a window is rendered with is read once each time that a task asks', async () => {
  const flow = await withIngest();
  await flow.world.run(15 * MINUTE_MS);
  const day = new Date(flow.world.clock.nowMs()).toISOString().slice(0, 10);
  const window = { from: '{{ params.day }}T00:00:00Z', to: '{{ params.day }}T23:59:59Z' };
  const task = { target: null, await: { job: JOB, window, need: 'last' } };
  await flow.save({ ingested: task }, {}, { params: { day: '' } });
  let reads = 0;
  flow.world.dynamo.faults = {
    before({ command, input }) {
      if (command === 'GetCommand' && JSON.stringify(input).includes('#input#')) reads += 1;
    },
  };
  await flow.run({ params: { day } });
  await flow.world.run(5 * SECOND_MS);
  expect(flow.runRow.status).toBe('succeeded');
  expect(reads).toBe(1);
});

test('it goes on at once if the window has its success already', async () => {
  const flow = await withIngest();
  await flow.world.run(15 * MINUTE_MS);
  await save(flow, { need: 'last' });
  await flow.run();
  await flow.world.run(5 * SECOND_MS);
  expect(tasksOf(flow)).toEqual(['load']);
});

test('a failed run of the other job fails the task, or is awaited until a user retries it', async () => {
  const flow = await withIngest();
  flow.behave[JOB] = FAILED;
  await flow.world.run(15 * MINUTE_MS);
  await save(flow, { onFailure: 'fail' });
  const failed = await flow.run();
  await flow.world.run(MINUTE_MS);
  expect(await flow.statuses(failed)).toEqual({ ingested: 'failed', load: 'blocked' });
  expect(await detail(flow, failed)).toMatchObject({
    reason: 'upstream-failed',
    result: { body: expect.stringContaining('is failed (fatal)') },
  });
  await save(flow, { onFailure: 'wait' });
  await flow.run();
  await flow.world.run(5 * MINUTE_MS);
  expect(tasksOf(flow)).toEqual([]);
  delete flow.behave[JOB];
  const { body } = await flow.world.api('listExecutions', { jobId: 'ingest' });
  const { items } = body as { items: { execId: string; status: string }[] };
  const { execId } = items.find(({ status }) => status === 'failed')!;
  const retried = await flow.world.api('retryExecution', { jobId: 'ingest', execId });
  expect(retried.status).toBe(202);
  await flow.world.run(2 * MINUTE_MS);
  expect(tasksOf(flow)).toEqual(['load']);
});

test('what is never planned fails the task at once: a job that is gone, a pause, another window', async () => {
  const flow = await withIngest();
  const reasonOf = async (awaits: object) => {
    await save(flow, awaits);
    const execId = await flow.run();
    await flow.world.run(10 * SECOND_MS);
    const { reason, result } = await detail(flow, execId);
    return [reason, (result as { body: string } | null)?.body];
  };
  expect(await reasonOf({ job: 'missing' })).toEqual(['nothing-planned', 'there is no job missing']);
  expect(await reasonOf({ window: 'previous-day' })).toEqual([
    'nothing-planned',
    expect.stringContaining('nothing of ingest is planned from 2026-11-30T00:00:00.000Z'),
  ]);
  await flow.world.api('pauseJob', { jobId: 'ingest' });
  expect((await reasonOf({}))[0]).toBe('nothing-planned');
  expect((await reasonOf({ window: { from: '{{ run.dueAt }}', to: '{{ run.dueAt }}' } }))[0]).toBe(
    'bad-input',
  );
});

test('a job that is paused while a task waits for it: the recheck of the run asks', async () => {
  const flow = await withIngest();
  await save(flow);
  const execId = await flow.run();
  await flow.world.run(MINUTE_MS);
  expect(await detail(flow, execId)).toMatchObject({ reason: 'awaiting' });
  await flow.world.api('pauseJob', { jobId: 'ingest' });
  await flow.world.run(2 * MINUTE_MS);
  expect(await detail(flow, execId)).toMatchObject({ status: 'failed', reason: 'nothing-planned' });
});

test('its time is bounded, and a cancel, a skip and a pause reach it while it waits', async () => {
  const flow = await withIngest();
  await save(flow, { timeout: '2m' });
  const late = await flow.run();
  await flow.world.run(4 * MINUTE_MS);
  expect(await detail(flow, late)).toMatchObject({ status: 'failed', reason: 'timed-out' });
  await save(flow);
  const cancelled = await flow.run();
  await flow.world.run(MINUTE_MS);
  await ask(flow, 'cancelExecution', { execId: cancelled });
  await flow.world.run(MINUTE_MS);
  expect(await flow.statuses(cancelled)).toEqual({ ingested: 'cancelled', load: 'blocked' });
  const skipped = await flow.run();
  await flow.world.run(MINUTE_MS);
  await ask(flow, 'pauseRun', { execId: skipped });
  expect((await ask(flow, 'skipTask', { execId: skipped, taskId: 'ingested' })).status).toBe(202);
  await flow.world.run(MINUTE_MS);
  expect(tasksOf(flow)).toEqual([]);
  await ask(flow, 'resumeRun', { execId: skipped });
  await flow.world.run(10 * SECOND_MS);
  expect(tasksOf(flow)).toEqual(['load']);
});

test('of a job that something else starts, what is on record counts while the window is open', async () => {
  const flow = await withIngest({ type: 'none' });
  await save(flow, { window: 'same-hour' });
  const execId = await flow.run();
  await flow.world.run(2 * MINUTE_MS);
  expect(await detail(flow, execId)).toMatchObject({ reason: 'awaiting', awaited: { occurrences: [] } });
  await flow.world.api('runJob', { jobId: 'ingest' });
  await flow.world.run(2 * MINUTE_MS);
  expect(tasksOf(flow)).toEqual(['load']);
  await flow.world.run(HOUR_MS);
  await save(flow, { window: 'same-hour' });
  const empty = await flow.run();
  await flow.world.run(HOUR_MS + 2 * MINUTE_MS);
  expect(await detail(flow, empty)).toMatchObject({ status: 'failed', reason: 'nothing-planned' });
});

test('an executor that dies before it has asked: the recheck of the run asks', async () => {
  const flow = await withIngest();
  await save(flow);
  let isStarted = false;
  let kills = 0;
  flow.world.onCall = (stage, { command, input }, kill) => {
    if (stage !== 'executor' || kills > 0) return;
    if (isStarted) {
      kills += 1;
      return kill(); // the run has started, and has not asked
    }
    isStarted = command === 'UpdateCommand' && String(input.UpdateExpression).includes('#run = :run');
  };
  await flow.run();
  await flow.world.run(12 * MINUTE_MS);
  expect(kills).toBe(1);
  expect(tasksOf(flow)).toEqual(['load']);
});
