import { CONTROL_SORT, MAINTENANCE_KEY, SCHEDULE_KEY } from '../../../lambdas/core/contracts/tables';
import { replaceRows } from '../../../scripts/restore/copy-rows';
import { staysIn, type TableName } from '../../../scripts/restore/plan';
import { MemoryDynamo } from '../../support/dynamo/memory-dynamo';
import { MemoryTables } from '../../support/dynamo/memory-tables';
import type { Item } from '../../../local/services/dynamodb/engine/paths';
import { TABLE_KEYS } from '../../support/dynamo/table-keys';
import { T0_MS } from '../../support/factories';
import { MACHINE } from '../../support/fake-errands';
import { BALANCED, ledgerOf } from '../../support/ledger';
import { newJobAt } from '../../support/new-job';
import { PipelineWorld } from '../../support/pipeline-world';
import { ask } from '../../support/run-requests';
import { WorkflowWorld } from '../../support/workflow-world';

// The rehearsal of docs/restore.md, with tables in memory.

const MINUTE_MS = 60_000;
const MAINTENANCE = { [SCHEDULE_KEY.partition]: MAINTENANCE_KEY, [SCHEDULE_KEY.sort]: CONTROL_SORT };
const TABLES: readonly TableName[] = ['jobs', 'executions', 'schedule'];
type Rows = Record<TableName, Item[]>;

const at = (minutes: number) => new Date(T0_MS + minutes * MINUTE_MS).toISOString();

const rowsOf = (world: PipelineWorld): Rows => ({
  jobs: world.tables.rows('jobs'),
  executions: world.tables.rows('executions'),
  schedule: world.tables.rows('schedule'),
});

/** Makes tables what they were, as `npm run restore -- --copy` does. */
async function restore(world: PipelineWorld, rows: Partial<Rows>): Promise<void> {
  const names = TABLES.filter((name) => rows[name]);
  for (const name of names) await replace(world, name, rows[name]!, staysIn(name, names));
}

async function replace(
  world: PipelineWorld,
  table: TableName,
  rows: readonly Item[],
  stays: ReturnType<typeof staysIn>,
): Promise<void> {
  const restored = new MemoryTables(TABLE_KEYS);
  for (const Item of rows) restored.apply('PutCommand', { TableName: table, Item }, () => false);
  const from = { documents: new MemoryDynamo(restored), table };
  const to = { documents: new MemoryDynamo(world.tables), table };
  const stopped = world.tables.row('schedule', MAINTENANCE);
  await replaceRows({ from, to, key: TABLE_KEYS[table], stays }, () => Promise.resolve());
  expect(world.tables.row('schedule', MAINTENANCE)).toEqual(stopped);
}

/** Stops the deployment, restores tables, and starts it again. */
async function restoring(world: PipelineWorld, rows: Partial<Rows>): Promise<void> {
  await world.api('stopDeployment');
  await world.run(6 * MINUTE_MS);
  world.queue.purge();
  await restore(world, rows);
  await world.run(MINUTE_MS);
  expect((await world.api('startDeployment')).body).toMatchObject({ state: 'running' });
}

const misfire = { policy: 'fire-all', grace: '60s', catchUpWindow: '2h' } as const;

test('all three tables of one second: what ran since runs again, nothing is lost', async () => {
  const world = await PipelineWorld.started(2);
  const job = await world.create(newJobAt(world, { misfire }));
  const once = await world.create(
    newJobAt(world, { jobId: 'once', schedule: { type: 'at', at: at(20.5) }, misfire }),
  );
  await world.run(12 * MINUTE_MS + 30_000);
  const rows = rowsOf(world);
  await world.run(15 * MINUTE_MS);
  await restoring(world, rows);
  expect(world.executions(once)).toEqual([]);
  await world.run(10 * MINUTE_MS);
  expect(ledgerOf(world, job, { fromMs: T0_MS + MINUTE_MS, stepMs: MINUTE_MS })).toEqual(BALANCED);
  expect(world.executions(once)).toEqual([expect.objectContaining({ status: 'succeeded' })]);
  expect(world.calls.filter(({ dueAtMs }) => dueAtMs === T0_MS + 20.5 * MINUTE_MS)).toHaveLength(2);
  expect(world.errors()).toEqual([]);
});

test('Jobs alone, older: the auditor finds the entries of jobs whose change is gone', async () => {
  const world = await PipelineWorld.started(2);
  const job = await world.create(newJobAt(world, { misfire }));
  await world.run(5 * MINUTE_MS);
  const { jobs } = rowsOf(world);
  await world.api('patchJob', { jobId: job.jobId }, { schedule: { type: 'interval', every: '2m' } });
  const later = await world.create(newJobAt(world, { jobId: 'later', misfire }));
  await world.run(10 * MINUTE_MS);
  await restoring(world, { jobs });
  const before = world.calls.length;
  const ran = () => world.executions(later).filter(({ status }) => status === 'succeeded').length;
  const ranBefore = ran();
  await world.run(5 * MINUTE_MS);
  expect(world.calls.slice(before)).toEqual([]); // neither the old definition nor the new one has entries
  await world.audit();
  await world.run(5 * MINUTE_MS);
  expect(world.calls.slice(before).length).toBeGreaterThanOrEqual(4);
  expect(ran()).toBe(ranBefore); // what was missed of it is recorded as skipped
});

test('Jobs alone, older: what waits for its retry keeps its overlap lock', async () => {
  const world = await PipelineWorld.started(2);
  const delays = { initialDelay: '12m', maxDelay: '12m', multiplier: 1, jitter: 'none' } as const;
  const retry = { maxAttempts: 2, maxAge: '24h', ...delays };
  const schedule = { type: 'interval', every: '5m' } as const;
  await world.create(newJobAt(world, { overlap: 'skip', retry, schedule }));
  world.behaviour = ({ attempt }) =>
    attempt === 1
      ? { outcome: 'retriable', statusCode: 503, error: 'busy' }
      : { outcome: 'succeeded', statusCode: 200, body: 'ok' };
  await world.run(4 * MINUTE_MS);
  const { jobs } = rowsOf(world); // nothing holds the lock yet
  await world.run(3 * MINUTE_MS);
  expect(world.calls).toHaveLength(1);
  await restoring(world, { jobs });
  await world.run(5 * MINUTE_MS);
  const first = world.calls[0]!.execId;
  expect(world.calls.map(({ execId }) => execId)).toEqual([first, first]);
});

test('Executions alone, older: what has ended since is not known, and does not run again', async () => {
  const world = await PipelineWorld.started(2);
  const job = await world.create(newJobAt(world, { misfire: { ...misfire, policy: 'skip' } }));
  await world.run(5 * MINUTE_MS + 30_000);
  const { executions } = rowsOf(world);
  await world.run(5 * MINUTE_MS);
  const before = world.calls.length;
  await restoring(world, { executions });
  await world.run(40 * MINUTE_MS);
  await world.audit();
  await world.run(5 * MINUTE_MS);
  const again = world.calls.slice(before).filter(({ dueAtMs }) => dueAtMs < T0_MS + 10 * MINUTE_MS);
  expect(again).toEqual([]);
  expect(ledgerOf(world, job, { fromMs: T0_MS + MINUTE_MS, stepMs: MINUTE_MS })).toEqual(BALANCED);
});

test('all three tables of one second: a run of a workflow goes on where it was then', async () => {
  const flow = await WorkflowWorld.started();
  const { world } = flow;
  await flow.save({
    extract: {},
    wait: { target: null, dependsOn: ['extract'], delay: '20m' },
    load: { dependsOn: ['wait'] },
  });
  const execId = await flow.run();
  await world.run(5 * MINUTE_MS);
  const rows = rowsOf(world);
  await world.run(20 * MINUTE_MS);
  expect(flow.called).toEqual(['extract', 'load']);
  await restoring(world, rows);
  await world.run(20 * MINUTE_MS);
  expect(flow.called).toEqual(['extract', 'load', 'load']); // what ran since T runs again, and no more
  const { body } = await ask(flow, 'getExecution', { execId });
  expect(body).toMatchObject({ status: 'succeeded' });
});

test('an errand that has ended since is found by its name, and nothing is started besides', async () => {
  const world = await PipelineWorld.started(2);
  const target = { type: 'stepfunctions', stateMachineArn: MACHINE, wait: true } as const;
  const schedule = { type: 'at', at: at(20.5) } as const;
  const job = await world.create(newJobAt(world, { schedule, target, timeout: '10m', misfire }));
  await world.run(12 * MINUTE_MS);
  const rows = rowsOf(world);
  await world.run(9 * MINUTE_MS);
  world.errands.onProbe = () => ({ state: 'ended', end: { how: 'succeeded' } });
  await world.run(2 * MINUTE_MS);
  await world.errands.probe();
  expect(world.executions(job)).toEqual([expect.objectContaining({ status: 'succeeded' })]);
  await restoring(world, rows);
  expect(world.executions(job)).toEqual([]);
  await world.run(5 * MINUTE_MS);
  await world.errands.probe();
  expect(world.executions(job)).toEqual([expect.objectContaining({ status: 'succeeded', errands: 1 })]);
  expect(world.errands.names).toHaveLength(2);
  expect(new Set(world.errands.names).size).toBe(1);
});

test('an errand that ran then, and has ended since, is asked for by its lease, and not started again', async () => {
  const world = await PipelineWorld.started(2);
  const target = { type: 'stepfunctions', stateMachineArn: MACHINE, wait: true } as const;
  const schedule = { type: 'at', at: at(2) } as const;
  const job = await world.create(newJobAt(world, { schedule, target, timeout: '2h', misfire }));
  await world.run(5 * MINUTE_MS);
  const rows = rowsOf(world);
  expect(world.executions(job)).toEqual([expect.objectContaining({ status: 'running' })]);
  await restoring(world, rows);
  world.errands.onProbe = () => ({ state: 'ended', end: { how: 'succeeded' } });
  await world.run(10 * MINUTE_MS);
  await world.errands.probe();
  expect(world.executions(job)).toEqual([expect.objectContaining({ status: 'succeeded', errands: 1 })]);
  expect(world.errands.started).toHaveLength(1);
});

test('a run of Glue that has begun since begins again, as its record is gone and Glue takes no token', async () => {
  const world = await PipelineWorld.started(2);
  const glueJobArn = 'arn:aws:glue:eu-central-1:111122223333:job/target-etl';
  const schedule = { type: 'at', at: at(20.5) } as const;
  const target = { type: 'glue', glueJobArn } as const;
  const job = await world.create(newJobAt(world, { schedule, target, timeout: '10m', misfire }));
  world.errands.onStart = () => ({ how: 'started', id: `jr_${world.errands.started.length}` });
  await world.run(12 * MINUTE_MS);
  const rows = rowsOf(world);
  await world.run(10 * MINUTE_MS);
  expect(world.errands.started).toHaveLength(1);
  await restoring(world, rows);
  await world.run(5 * MINUTE_MS);
  expect(world.errands.started).toHaveLength(2);
  expect(world.executions(job)[0]!.delegatedTo?.errand).toMatchObject({ id: 'jr_2' });
});
