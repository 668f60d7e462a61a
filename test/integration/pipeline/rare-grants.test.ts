import {
  execIdOfOccurrence,
  jobKeyOf,
  parseCompactInstant,
  SCHEDULE_KEY,
} from '../../../lambdas/core/contracts/tables';
import { skippedRow } from '../../../lambdas/core/ending/skip-ranges';
import type { Job } from '../../../lambdas/core/domain/job';
import { aJob, aTarget, T0_MS } from '../../support/factories';
import { ping } from '../../support/monitor-world';
import { newJobAt } from '../../support/new-job';
import { outage } from '../../support/outage';
import { RARE_GRANTS } from '../../support/rare-grants';
import { used } from '../../support/stage-permissions';
import { PipelineWorld } from '../../support/pipeline-world';
import type { WorldOptions } from '../../support/world-options';

const MINUTE_MS = 60_000;
const misfire = (policy: Job['misfire']['policy']) => ({ policy, grace: '60s', catchUpWindow: '2h' });

/** Tables that do not return the row on which a condition failed, behind an SDK that retries once. */
const FORGETFUL: WorldOptions = { allOld: false, maxAttempts: 2 };

/** Loses the response to each write of an execution row once. */
function loseAnswers(world: PipelineWorld): void {
  world.dynamo.faults.after = ({ command, input, attempt }) => {
    if (command === 'PutCommand' && input.TableName === 'executions' && attempt === 1)
      throw Object.assign(new Error('socket hang up'), { name: 'TimeoutError' });
  };
}

/** Removes the entries of the occurrences that are due in these minutes. No stage does this. */
function eraseEntries(world: PipelineWorld, minutes: number[]): void {
  const { partition, sort } = SCHEDULE_KEY;
  for (const row of world.tables.rows('schedule')) {
    const isOne = minutes.some((minute) =>
      String(row[sort]).includes(execIdOfOccurrence(T0_MS + minute * MINUTE_MS)),
    );
    if (!isOne || String(row[partition]).startsWith('#')) continue;
    const entry = { [partition]: row[partition]!, [sort]: row[sort]! };
    world.tables.apply('DeleteCommand', { TableName: 'schedule', Key: entry }, () => false);
  }
}

test('after an outage, the scanner decides on missed occurrences, and responses to its writes are lost', async () => {
  const world = await PipelineWorld.started(1, 30, FORGETFUL);
  const job = await world.create(newJobAt(world, { misfire: misfire('skip') }));
  loseAnswers(world);
  await outage(world, 15 * MINUTE_MS);
  world.on.sweep = false;
  await world.run(2 * MINUTE_MS);
  expect(world.executions(job).some(({ status }) => status === 'skipped')).toBe(true);
});

test('after an outage, the recheck decides on missed occurrences', async () => {
  const world = await PipelineWorld.started(1);
  const job = await world.create(newJobAt(world, { misfire: misfire('fire-all') }));
  await outage(world, 15 * MINUTE_MS);
  world.on.scan = false;
  await world.run(3 * MINUTE_MS);
  expect(world.executions(job).filter(({ trigger }) => trigger === 'catch-up').length).toBeGreaterThan(5);
});

test('an attempt that waits for its ordering key while its job is paused and no executor runs', async () => {
  const world = await PipelineWorld.started(1);
  world.behaviour = () => ({ outcome: 'retriable', error: 'no' });
  const at = { type: 'at' as const, at: new Date(T0_MS + MINUTE_MS).toISOString() };
  const retry = { ...aJob().retry, jitter: 'none' as const };
  const job = await world.create(
    newJobAt(world, { schedule: at, overlap: 'skip', orderingKey: 'key', retry }),
  );
  await world.run(MINUTE_MS + 1_000);
  world.on.executor = false;
  await world.api('pauseJob', { jobId: job.jobId });
  await world.run(3 * MINUTE_MS);
  expect(world.executions(job)).toMatchObject([{ status: 'cancelled', reason: 'paused' }]);
});

test('a skipped range that is recorded between a recheck and its write', async () => {
  const world = await PipelineWorld.started(1);
  const job = await world.create(newJobAt(world, {}));
  let put = false;
  world.dynamo.faults.before = async ({ command, input }) => {
    if (put || command !== 'PutCommand' || input.TableName !== 'executions') return;
    put = true;
    const dueAtMs = parseCompactInstant((input.Item as { execId: string }).execId);
    const around = { fromMs: dueAtMs - MINUTE_MS, toMs: dueAtMs + MINUTE_MS, count: 3 };
    await world.deps.ends.putEnded(skippedRow(jobKeyOf(job), around, 'misfire', world.deps));
  };
  world.on.executor = false;
  await world.run(3 * MINUTE_MS);
  await world.api('pauseJob', { jobId: job.jobId });
  await world.run(3 * MINUTE_MS);
  expect(world.executions(job).map(({ reason }) => reason)).toEqual(
    expect.arrayContaining(['paused', 'misfire']),
  );
});

test('the auditor finds occurrences without entries, and responses to its writes are lost', async () => {
  const world = await PipelineWorld.started(1, 30, FORGETFUL);
  const runs = await world.create(newJobAt(world, { jobId: 'runs', misfire: misfire('fire-all') }));
  const skips = await world.create(newJobAt(world, { jobId: 'skips', misfire: misfire('skip') }));
  await outage(world, 12 * MINUTE_MS);
  eraseEntries(
    world,
    Array.from({ length: 60 }, (_, minute) => minute),
  );
  loseAnswers(world);
  await world.run(30 * MINUTE_MS);
  expect(await world.audit()).toMatchObject({ repaired: 2 });
  await world.run(MINUTE_MS);
  expect(await world.audit()).toMatchObject({ repaired: 0 });
  await world.run(MINUTE_MS);
  expect(world.executions(runs).filter(({ trigger }) => trigger === 'catch-up').length).toBeGreaterThan(0);
  const [skipped] = world.executions(skips).filter(({ status }) => status === 'skipped');
  expect(skipped).toMatchObject({ reason: 'misfire' });
});

test('a job no longer uses a secret, and its owner deletes it', async () => {
  const world = await PipelineWorld.started(1);
  await world.api('putSecret', { name: 'crm' }, { value: 'p4ssw0rd', hosts: ['example.com'] });
  const target = aTarget({ auth: { type: 'bearer', token: '{{ secrets.crm }}' } });
  const { jobId } = await world.create(newJobAt(world, { target }));
  await world.api('patchJob', { jobId }, { target: { auth: null } });
  await world.run(11 * MINUTE_MS);
  await world.audit();
  expect((await world.api('getSecret', { name: 'crm' })).body).toMatchObject({ users: [] });
  expect(await world.api('deleteSecret', { name: 'crm' })).toEqual({ status: 204 });
});

test('the last waiter of a job is deleted, and the auditor removes the mark', async () => {
  const world = await PipelineWorld.started(1);
  await world.create(newJobAt(world, { jobId: 'upstream', schedule: { type: 'none' } }));
  await world.create(newJobAt(world, { jobId: 'waiter', schedule: { type: 'after', jobs: ['upstream'] } }));
  await world.api('deleteJob', { jobId: 'waiter' });
  await world.run(11 * MINUTE_MS);
  await world.audit();
  await world.audit();
  const upstream = await world.deps.jobs.get({ userId: 'alice', jobId: 'upstream' });
  expect(upstream).not.toHaveProperty('awaitedAtMs');
});

test('a request dies before it has replanned the jobs of a changed calendar', async () => {
  const world = await PipelineWorld.started(1);
  const dates = (day: string) => ({ dates: [day] });
  await world.clock.settle(world.api('putCalendar', { calendarId: 'days' }, dates('2020-01-01')));
  const schedule = { type: 'cron', expression: '0 0 * * *', exclude: [{ calendar: 'days' }] };
  const target = { type: 'http', url: 'https://example.com/hook' };
  await world.api('createJob', {}, { jobId: 'daily', schedule, target });
  let isChanged = false;
  world.onCall = (stage, { command, input }, kill) => {
    const sort = (input as { Item?: { jobId?: string } }).Item?.jobId;
    if (stage === 'api' && sort === '#calendar#days') isChanged = true;
    else if (stage === 'api' && isChanged && command === 'QueryCommand') kill();
  };
  void world.api('putCalendar', { calendarId: 'days' }, dates('2026-12-02'));
  await world.clock.flush();
  world.onCall = undefined;
  await world.clock.settle(world.audit());
  expect((await world.api('getJob', { jobId: 'daily' })).body).toMatchObject({ generation: 2 });
});

test('a job is paused after failures in a row, and a notification says so', async () => {
  const world = await PipelineWorld.started(1);
  const target = { type: 'http', url: 'https://hooks.example.com/ops' };
  await world.clock.settle(world.api('putNotification', { id: 'ops' }, { on: ['failed'], target }));
  world.behaviour = () => ({ outcome: 'fatal', statusCode: 410, error: 'gone' });
  const { jobId } = await world.create(newJobAt(world, { pauseAfter: { failures: 2 } }));
  await world.run(5 * MINUTE_MS);
  expect((await world.api('getJob', { jobId })).body).toMatchObject({ status: 'paused' });
});

test('a claim ends work of a paused job, starts what waits for that, and sends on what has moved', async () => {
  const world = await PipelineWorld.started(1);
  const target = { type: 'worker' as const, queue: 'warehouse', heartbeatTimeout: '60s' };
  const schedule = { type: 'at' as const, at: new Date(T0_MS + MINUTE_MS).toISOString() };
  for (const jobId of ['upstream', 'moved']) await world.create(newJobAt(world, { jobId, schedule, target }));
  const after = { type: 'after', jobs: ['upstream'], on: 'done' };
  const http = { type: 'http', url: 'https://example.com/hook' };
  await world.api('putJob', { jobId: 'waiter' }, { schedule: after, target: http });
  await world.run(2 * MINUTE_MS);
  const claim = () => world.api('claimWork', {}, { queue: 'warehouse', max: 10 });
  const { work } = (await claim()).body as { work: { token: string }[] };
  for (const { token } of work) await world.api('failAttempt', {}, {}, { authorization: `Bearer ${token}` });
  await world.run(MINUTE_MS);
  await world.api('pauseJob', { jobId: 'upstream' });
  await world.api('patchJob', { jobId: 'moved' }, { target: { queue: 'other' } });
  expect((await claim()).body).toEqual({ work: [] });
  await world.create(
    newJobAt(world, {
      jobId: 'gone',
      schedule: { type: 'at', at: new Date(T0_MS + 4 * MINUTE_MS).toISOString() },
      target,
    }),
  );
  await world.run(3 * MINUTE_MS);
  await world.api('pauseJob', { jobId: 'gone' });
  expect((await claim()).body).toEqual({ work: [] });
  expect(world.executions({ userId: 'alice', jobId: 'gone' })).toMatchObject([{ status: 'skipped' }]);
  expect(world.executions({ userId: 'alice', jobId: 'upstream' })).toMatchObject([{ status: 'cancelled' }]);
});

test('a ping that comes after its time asks for the time of maintenance mode', async () => {
  const world = await PipelineWorld.started(1);
  const endAt = new Date(T0_MS + 2 * MINUTE_MS).toISOString();
  const schedule = { type: 'cron', expression: '* * * * *', endAt };
  const target = { type: 'monitor', pingWithin: '1m' };
  await world.api('putJob', { jobId: 'backup' }, { schedule, target });
  const { body } = await world.api('getPingKey', { jobId: 'backup' });
  world.on.sweep = false;
  await world.run(5 * MINUTE_MS);
  expect((await ping(world, (body as { url: string }).url)).status).toBe(200);
  expect(world.executions({ userId: 'alice', jobId: 'backup' })).toMatchObject([
    { reason: 'no-ping' },
    { trigger: 'ping' },
  ]);
});

test('the tests above use each of the rare grants', () => {
  expect(RARE_GRANTS.filter((grant) => !used.has(grant))).toEqual([]);
});
