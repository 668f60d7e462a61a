import { MINUTE_MS, SECOND_MS } from '../../../lambdas/core/clock/clock';
import { Metric } from '../../../lambdas/core/contracts/metrics';
import { errandKeyOf } from '../../../lambdas/core/contracts/tables';
import {
  diesAfterStart,
  DUE_MS,
  eventOf,
  nameOf,
  rowOf,
  untilStarted,
  worldWith,
} from '../../support/errand-world';
import { MACHINE } from '../../support/fake-errands';
import { newJobAt } from '../../support/new-job';
import { PipelineWorld } from '../../support/pipeline-world';

test('the executor is free once the errand runs, and the event of its end ends the execution', async () => {
  const { world, job } = await worldWith();
  await untilStarted(world);
  expect(rowOf(world, job)).toMatchObject({
    status: 'running',
    delegatedTo: { errand: { name: nameOf(world, job) } },
  });
  await world.errands.watch(eventOf(nameOf(world, job), 'succeeded'));
  expect(rowOf(world, job)).toMatchObject({ status: 'succeeded', errands: 1 });
  expect(rowOf(world, job).openErrand).toBeUndefined();
  expect(world.errands.started).toHaveLength(1);
});

test('a fire is six writes: the watcher adds none to its end', async () => {
  const { world, job } = await worldWith({ schedule: { type: 'cron', expression: '* * * * *' } });
  const writes: string[] = [];
  world.onCall = (stage, { command, input }) => {
    if (!/^(Put|Update|Delete|BatchWrite)/.test(command)) return;
    const { TableName, RequestItems = {} } = input as { TableName?: string; RequestItems?: object };
    if (JSON.stringify(input).includes('#cursors#')) return;
    writes.push(`${stage}: ${TableName ?? Object.keys(RequestItems).join()}`);
  };
  await untilStarted(world);
  await world.errands.watch(eventOf(nameOf(world, job), 'succeeded'));
  expect(rowOf(world, job).status).toBe('succeeded');
  expect(writes.toSorted()).toEqual([
    'executor: executions', // the claim
    'executor: executions', // the row of the errand
    'executor: executions', // the delegation
    'executor: schedule', // the entry of the first probe
    'scanner: schedule', // the next entry
    'watcher: executions', // the end
  ]);
});

test('its name is written down before it is started', async () => {
  const { world } = await worldWith();
  const rows: number[] = [];
  world.errands.onStart = ({ name }) => {
    rows.push(world.tables.rows('executions', ({ jobId }) => jobId === errandKeyOf(name)).length);
    return { how: 'started' };
  };
  await untilStarted(world);
  expect(rows).toEqual([1]);
});

test('an execution that is taken over starts the same errand', async () => {
  const { world } = await worldWith();
  diesAfterStart(world);
  await world.run(4 * MINUTE_MS);
  expect(world.errands.names).toHaveLength(2);
  expect(new Set(world.errands.names).size).toBe(1);
});

test('an errand whose end came before the delegation settles the attempt', async () => {
  const { world, job } = await worldWith();
  world.errands.onStart = async ({ name }) => {
    await world.errands.watch(eventOf(name, 'succeeded'));
    return { how: 'started' };
  };
  await untilStarted(world);
  expect(rowOf(world, job).status).toBe('succeeded');
  expect(rowOf(world, job).attempts[0]!.errand).toMatchObject({ type: 'stepfunctions', resource: MACHINE });
  expect(world.errors()).toEqual([]);
});

test('with another input, the errand of an earlier attempt is probed for and not started', async () => {
  const { world, job } = await worldWith();
  diesAfterStart(world);
  await untilStarted(world);
  await world.api('patchJob', { jobId: job.jobId }, { payload: { n: 2 } });
  await world.run(4 * MINUTE_MS);
  expect(world.errands.started).toHaveLength(1);
  expect(rowOf(world, job).delegatedTo?.errand).toMatchObject({ unresolved: true });
});

test('a start that gets no answer is no end: the watcher finds the errand', async () => {
  const { world, job } = await worldWith();
  world.errands.onStart = () => ({ how: 'unknown', error: 'reset' });
  await untilStarted(world);
  expect(rowOf(world, job).delegatedTo?.errand).toMatchObject({ unresolved: true });
  await world.run(MINUTE_MS);
  await world.errands.probe();
  expect(rowOf(world, job).delegatedTo?.errand?.unresolved).toBeUndefined();
});

test('a start that was refused after one without an answer is no end', async () => {
  const { world, job } = await worldWith();
  world.errands.onStart = () => {
    world.errands.onStart = () => ({ how: 'refused', result: { outcome: 'fatal', error: 'gone' } });
    return { how: 'unknown', error: 'reset' };
  };
  await untilStarted(world);
  expect(rowOf(world, job).delegatedTo?.errand).toMatchObject({ unresolved: true });
});

test('a refused start is a failed attempt, and the next one has another name', async () => {
  const { world, job } = await worldWith({
    retry: {
      ...newJobAt(await PipelineWorld.started(1), {}).retry,
      maxAttempts: 2,
      initialDelay: '1s',
      maxDelay: '1s',
    },
  });
  world.errands.onStart = () => {
    world.errands.onStart = () => ({ how: 'started' });
    return { how: 'refused', result: { outcome: 'retriable', error: 'too many' } };
  };
  await world.run(2 * MINUTE_MS);
  expect(new Set(world.errands.names).size).toBe(2);
  expect(rowOf(world, job)).toMatchObject({ status: 'running', failures: 1, errands: 1 });
});

test('an errand that may still arrive is not missing', async () => {
  const { world, job } = await worldWith();
  world.errands.onStart = () => ({ how: 'unknown', error: 'reset' });
  world.errands.onProbe = () => ({ state: 'none' });
  await untilStarted(world);
  const { execId, jobKey } = rowOf(world, job);
  await world.errands.watch({ v: 1, probe: { jobKey, execId } });
  expect(rowOf(world, job)).toMatchObject({ status: 'running', fence: 1 });
  await world.run(MINUTE_MS);
  world.errands.onStart = () => ({ how: 'started' });
  await world.errands.watch({ v: 1, probe: { jobKey, execId } });
  await world.run(10 * SECOND_MS);
  expect(rowOf(world, job)).toMatchObject({ status: 'running', fence: 2, failures: 0, errands: 1 });
});

test('a cancelled execution ends once its errand has been seen stopped', async () => {
  const { world, job } = await worldWith();
  await untilStarted(world);
  const { execId } = rowOf(world, job);
  await world.api('cancelExecution', { jobId: job.jobId, execId });
  await world.run(MINUTE_MS);
  await world.errands.probe();
  expect(world.errands.stopped).not.toEqual([]);
  expect(rowOf(world, job).status).toBe('running');
  await world.errands.watch(eventOf(nameOf(world, job), 'stopped'));
  expect(rowOf(world, job)).toMatchObject({ status: 'cancelled', reason: 'cancelled-by-user' });
});

test('an execution that is cancelled while it waits ends once its errand has been seen stopped', async () => {
  const { world, job } = await worldWith();
  diesAfterStart(world);
  await untilStarted(world);
  world.on.executor = false;
  await world.run(2 * MINUTE_MS);
  expect(rowOf(world, job).status).toBe('retrying');
  const { execId } = rowOf(world, job);
  await world.api('cancelExecution', { jobId: job.jobId, execId });
  expect(rowOf(world, job).status).toBe('running');
  await world.run(MINUTE_MS);
  await world.errands.probe();
  expect(world.errands.stopped).not.toEqual([]);
  await world.errands.watch(eventOf(nameOf(world, job), 'stopped'));
  expect(rowOf(world, job)).toMatchObject({ status: 'cancelled', reason: 'cancelled-by-user' });
});

test('when its time is over, it is stopped, and no other attempt begins before it has ended', async () => {
  const { world, job } = await worldWith({ timeout: '2m' });
  await world.run(8 * MINUTE_MS);
  expect(rowOf(world, job)).toMatchObject({ status: 'running', fence: 1 });
  await world.errands.probe();
  expect(world.errands.stopped).not.toEqual([]);
  expect(world.errands.started).toHaveLength(1);
});

test('the time of an errand counts from its first start', async () => {
  const { world, job } = await worldWith({ timeout: '5m' });
  diesAfterStart(world);
  await world.run(4 * MINUTE_MS);
  const { delegatedTo } = rowOf(world, job);
  expect(delegatedTo!.endsAtMs).toBe(delegatedTo!.errand!.firstStartAtMs + 5 * MINUTE_MS);
  expect(delegatedTo!.errand!.firstStartAtMs).toBeLessThan(DUE_MS + 10 * SECOND_MS);
});

test('a probe that is put off comes at its next time', async () => {
  const { world } = await worldWith();
  world.errands.mayProbe = false;
  await untilStarted(world);
  await world.run(90 * SECOND_MS);
  expect(world.errands.ordered).toEqual([]);
  expect(world.meter.total(Metric.probesPutOff)).toBeGreaterThan(0);
  world.errands.mayProbe = true;
  await world.run(4 * MINUTE_MS);
  expect(world.errands.ordered).not.toEqual([]);
});

test('an errand that is lost from sight keeps its name, and a user retry asks for it first', async () => {
  const { world, job } = await worldWith({ timeout: '2m' });
  world.errands.onProbe = () => ({ state: 'unknown', error: 'denied' });
  await untilStarted(world);
  for (let minutes = 0; minutes < 66; minutes++) {
    await world.run(MINUTE_MS);
    await world.errands.probe();
  }
  expect(rowOf(world, job)).toMatchObject({ status: 'failed', reason: 'lost-sight' });
  expect(world.meter.total(Metric.lostSight)).toBe(1);
  const { execId } = rowOf(world, job);
  await world.api('retryExecution', { jobId: job.jobId, execId });
  await world.run(10 * SECOND_MS);
  expect(world.errands.started).toHaveLength(1);
  world.errands.onProbe = () => ({ state: 'ended', end: { how: 'failed', error: 'no' } });
  await world.run(MINUTE_MS);
  await world.errands.probe();
  await world.run(10 * SECOND_MS);
  expect(world.meter.total(Metric.probeFound)).toBe(1);
  expect(new Set(world.errands.names).size).toBe(2);
});

test.each([
  ['of an earlier errand', (name: string) => eventOf(name.replace(/1$/, '0'), 'succeeded')],
  ['of another kind', (name: string) => eventOf(name, 'succeeded', { type: 'batch' })],
  ['of another resource', (name: string) => eventOf(name, 'succeeded', { resource: `${MACHINE}-2` })],
  ['of an unknown errand', (name: string) => eventOf(name.replace(/^qj-0/, 'qj-1'), 'succeeded')],
])('an event %s settles nothing', async (_, eventFor) => {
  const { world, job } = await worldWith();
  world.errands.onStart = () => {
    world.errands.onStart = () => ({ how: 'started' });
    return { how: 'refused', result: { outcome: 'retriable', error: 'too many' } };
  };
  await world.run(3 * MINUTE_MS);
  expect(nameOf(world, job)).toMatch(/-1$/);
  await world.errands.watch(eventFor(nameOf(world, job)));
  expect(rowOf(world, job).status).toBe('running');
});

test('each attempt keeps what leads to its work, and to its logs', async () => {
  const { world, job } = await worldWith();
  await untilStarted(world);
  const first = nameOf(world, job);
  await world.errands.watch(eventOf(first, 'failed', { logs: 'report/default/1' }));
  expect(rowOf(world, job).attempts).toMatchObject([
    {
      outcome: 'retriable',
      errand: { type: 'stepfunctions', name: first, resource: MACHINE, logs: 'report/default/1' },
    },
  ]);
});
