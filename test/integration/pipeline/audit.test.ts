import { PutCommand } from '../../../lambdas/core/store/dynamo/commands';

import {
  EXECUTIONS_KEY,
  execIdOfOccurrence,
  jobKeyOf,
  SCHEDULE_KEY,
} from '../../../lambdas/core/contracts/tables';
import { Metric } from '../../../lambdas/core/contracts/metrics';
import type { Job } from '../../../lambdas/core/domain/job';
import { aMessage, T0_MS } from '../../support/factories';
import { newJobAt } from '../../support/new-job';
import { offered, target } from '../../support/offered-work';
import { PipelineWorld } from '../../support/pipeline-world';

const MINUTE_MS = 60_000;
const due = (minutes: number) => T0_MS + minutes * MINUTE_MS;

/** Removes a row and every entry of its occurrence. No stage does this. */
function erase(world: PipelineWorld, job: Job, dueAtMs: number): void {
  const execId = execIdOfOccurrence(dueAtMs);
  const key = { [EXECUTIONS_KEY.partition]: jobKeyOf(job), [EXECUTIONS_KEY.sort]: execId };
  world.tables.apply('DeleteCommand', { TableName: 'executions', Key: key }, () => false);
  for (const row of world.tables.rows('schedule')) {
    const { partition, sort } = SCHEDULE_KEY;
    if (!String(row[sort]).endsWith(execId)) continue;
    const entry = { [partition]: row[partition]!, [sort]: row[sort]! };
    world.tables.apply('DeleteCommand', { TableName: 'schedule', Key: entry }, () => false);
  }
}

const statusAt = (world: PipelineWorld, job: Job, dueAtMs: number) =>
  world.executions(job).find(({ execId }) => execId === execIdOfOccurrence(dueAtMs));

test('the misfire policy decides on an occurrence without record and entry, and the metric counts it', async () => {
  const world = await PipelineWorld.started(1);
  const misfire = (policy: 'fire-all' | 'skip') => ({ policy, grace: '60s', catchUpWindow: '2h' });
  const runs = await world.create(newJobAt(world, { jobId: 'runs', misfire: misfire('fire-all') }));
  const skips = await world.create(newJobAt(world, { jobId: 'skips', misfire: misfire('skip') }));
  await world.run(12 * MINUTE_MS);
  for (const job of [runs, skips]) erase(world, job, due(5));
  expect(await world.audit()).toMatchObject({ repaired: 0 }); // too recent for the auditor
  await world.run(30 * MINUTE_MS);
  expect(await world.audit()).toMatchObject({ jobs: 2, repaired: 2 });
  expect(world.meter.total(Metric.didNotRun)).toBe(2);
  await world.run(MINUTE_MS);
  expect(statusAt(world, runs, due(5))).toMatchObject({ status: 'succeeded', trigger: 'catch-up' });
  expect(statusAt(world, skips, due(5))).toMatchObject({ status: 'skipped', reason: 'misfire' });
  expect(await world.audit()).toMatchObject({ repaired: 0 });
});

test('an invocation that fails leaves no sample of the metric, and any other does', async () => {
  const world = await PipelineWorld.started(1);
  await world.create(newJobAt(world, {}));
  world.dynamo.faults.before = async ({ command }) => {
    if (command === 'ScanCommand') throw new Error('no answer');
  };
  await expect(world.audit()).rejects.toThrow('no answer');
  expect(world.meter.hasCounted(Metric.didNotRun)).toBe(false);
  world.dynamo.faults.before = undefined;
  await world.audit();
  expect(world.meter.hasCounted(Metric.didNotRun)).toBe(true);
  expect(world.meter.total(Metric.didNotRun)).toBe(0);
});

test('a running execution without an entry is taken over', async () => {
  const world = await PipelineWorld.started(1);
  const job = await world.create(newJobAt(world, {}));
  await world.run(12 * MINUTE_MS);
  erase(world, job, due(5));
  const { jobKey, execId, dueAtMs, trigger } = aMessage({ dueAtMs: due(5) });
  const claim = { jobKey, execId, dueAtMs, trigger, attempt: 1, claimId: 'dead', nowMs: due(12) };
  expect(await world.deps.executions.claim(claim)).toMatchObject({ outcome: 'claimed' });
  await world.run(30 * MINUTE_MS);
  expect(statusAt(world, job, due(5))).toMatchObject({ status: 'running' });
  expect(await world.audit()).toMatchObject({ repaired: 1 });
  await world.run(2 * MINUTE_MS);
  expect(statusAt(world, job, due(5))).toMatchObject({ status: 'succeeded', fence: 2 });
});

test('the auditor does not repair executions that only wait for their queue', async () => {
  const world = await PipelineWorld.started(1);
  const at = { type: 'at' as const, at: new Date(due(6)).toISOString() };
  await world.create(newJobAt(world, { schedule: at }));
  world.on.executor = false;
  await world.run(60 * MINUTE_MS);
  expect(world.queue.messages.length).toBeGreaterThan(0);
  expect(await world.audit()).toMatchObject({ repaired: 0 });
  world.on.executor = true;
  await world.run(MINUTE_MS);
  expect(world.calls).toHaveLength(1);
});

test('a record cancelled ahead of its time does not prove that earlier occurrences ran', async () => {
  const world = await PipelineWorld.started(1);
  const job = newJobAt(world, { misfire: { policy: 'fire-all', grace: '60s', catchUpWindow: '1h' } });
  await world.deps.jobs.create(job); // its entry is gone
  await world.run(2 * MINUTE_MS);
  const execId = execIdOfOccurrence(due(3));
  expect((await world.api('cancelExecution', { jobId: job.jobId, execId })).status).toBe(202);
  await world.run(3 * MINUTE_MS);
  expect(await world.audit()).toMatchObject({ repaired: 1 });
  await world.run(2 * MINUTE_MS + 1_000);
  const minutes = world.executions(job).map(({ dueAtMs }) => (dueAtMs - T0_MS) / MINUTE_MS);
  expect(minutes).toEqual(expect.arrayContaining([1, 2, 3, 4, 5, 6, 7]));
});

describe('a job whose row cannot be read', () => {
  /** Jobs `job-1` to `job-<count>` of alice. The rows of `broken` are then overwritten with invalid ones. */
  async function withBroken(count: number, broken: readonly number[]) {
    const world = await PipelineWorld.started(1);
    for (let index = 1; index <= count; index++)
      await world.create(newJobAt(world, { userId: 'alice', jobId: `job-${index}` }));
    for (const index of broken) {
      const row = { userId: 'alice', jobId: `job-${index}`, v: 1 };
      await world.dynamo.send(new PutCommand({ TableName: 'jobs', Item: row }));
    }
    const reported = () =>
      world.log.lines
        .filter(({ message }) => message === 'job row cannot be read')
        .map(({ level, fields }) => [level, [fields?.userId, fields?.jobId].join('/')].join(' '));
    return { world, reported };
  }

  test('is reported once in each pass, and the pass goes on', async () => {
    const { world, reported } = await withBroken(3, [2]);
    expect(await world.audit()).toMatchObject({ jobs: 2, complete: true });
    expect(reported()).toEqual(['error alice/job-2']);
    expect(world.log.lines.at(-1)?.cause).toMatchObject({
      message: expect.stringMatching('job-2') as string,
    });
    expect(world.meter.total(Metric.quarantined)).toBe(1);
    await world.audit();
    expect(reported()).toHaveLength(2);
    expect(world.meter.total(Metric.quarantined)).toBe(2);
  });

  test('is reported once even if a pass takes several invocations', async () => {
    const { world, reported } = await withBroken(9, [1, 3, 4, 9]);
    const jobs: number[] = [];
    for (let complete = false; !complete;) {
      let calls = 0;
      const result = await world.audit(undefined, { remainingMs: () => (calls++ < 1 ? 300_000 : 9_000) });
      ({ complete } = result);
      jobs.push(result.jobs);
    }
    expect(jobs).toEqual([1, 1, 1, 1, 1]);
    expect(reported()).toEqual([1, 3, 4, 9].map((index) => `error alice/job-${index}`));
    expect(world.meter.total(Metric.quarantined)).toBe(4);
  });

  test('is reported if all rows of a slice are unreadable', async () => {
    const { world, reported } = await withBroken(2, [1, 2]);
    expect(await world.audit()).toMatchObject({ jobs: 0, complete: true });
    expect(reported()).toHaveLength(2);
  });
});

test('work that was offered before an edit of its priority is no misfire', async () => {
  const { world, job, claim } = await offered({
    target: { ...target, startWithin: '10h' },
    misfire: { policy: 'skip', grace: '60s', catchUpWindow: '1h' },
  });
  await world.run(4 * MINUTE_MS);
  expect((await world.api('patchJob', { jobId: job.jobId }, { priority: 'high' })).status).toBe(200);
  for (let audits = 0; audits < 12; audits++) {
    await world.run(10 * MINUTE_MS);
    await world.audit();
  }
  expect(world.executions(job)).toEqual([]);
  expect(await claim({ max: 5 })).toHaveLength(1);
});
