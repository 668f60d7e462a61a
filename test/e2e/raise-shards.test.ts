import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { DynamoDBClient, ListTablesCommand, ScanCommand } from '@aws-sdk/client-dynamodb';

import { eventually } from '../support/eventually';
import { Host } from '../support/local/host';
import { listenOnLoopback, type LoopbackServer } from '../support/loopback-server';
import { assemblyWith, ofType } from './identity/assemblies';

const RUNS = 15;
const ONCE = 40;
/** What was due while no process ran is found by rechecks, which come once a minute. */
const PATIENCE_MS = 240_000;

/** Calls by job and due time. */
const calls = new Map<string, number>();
let receiver: LoopbackServer;
let directory: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'quarterjack-shards-'));
  receiver = await listenOnLoopback((request, response) => {
    const execution = `${String(request.headers['quarterjack-job'])} ${String(request.headers['quarterjack-due'])}`;
    calls.set(execution, (calls.get(execution) ?? 0) + 1);
    request.resume().on('end', () => response.end());
  });
});
afterAll(() => {
  receiver.stop();
  rmSync(directory, { recursive: true });
});

/** The local stage with `count` shards. Its functions read the count from an environment variable. */
const withShards = (count: number): Promise<string> =>
  assemblyWith(directory, `shards-${count}`, (resources) => {
    for (const { Properties } of ofType(resources, 'AWS::Lambda::Function'))
      if (Properties.Environment.Variables.SHARD_COUNT)
        Properties.Environment.Variables.SHARD_COUNT = String(count);
  });

async function create(host: Host, jobId: string, schedule: object): Promise<void> {
  const url = `${receiver.url}/`;
  const misfire = { policy: 'fire-all', grace: '60s', catchUpWindow: '1h' };
  const answer = await host.fetch('/v1/jobs', {
    method: 'POST',
    headers: { authorization: `Bearer ${host.run.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ jobId, schedule, misfire, target: { type: 'http', url } }),
  });
  if (!answer.ok) throw new Error(`${jobId}: ${answer.status} ${await answer.text()}`);
}

/** The shards that have entries. */
async function shardsWithEntries({ run }: Host): Promise<Set<number>> {
  const dynamo = new DynamoDBClient({
    endpoint: run.awsEndpointUrl,
    region: run.region,
    credentials: run.operator,
  });
  const { TableNames = [] } = await dynamo.send(new ListTablesCommand());
  const TableName = TableNames.find((name) => name.includes('TablesSchedule'));
  const { Items = [] } = await dynamo.send(new ScanCommand({ TableName }));
  dynamo.destroy();
  const buckets = Items.map(({ bucket }) => /^\d{4}-.*#(\d+)$/.exec(bucket?.S ?? '')?.[1]);
  return new Set(buckets.filter((shard) => shard !== undefined).map(Number));
}

test('the number of shards is raised while jobs fire: nothing is lost, and nothing runs twice', async () => {
  const dataDir = join(directory, 'data');
  const few = await Host.start({ port: 0, dataDir, assembly: await withShards(2) });
  const intervals = Array.from({ length: 4 }, (_, index) => `heartbeat-${index}`);
  for (const jobId of intervals) await create(few, jobId, { type: 'interval', every: '3s', maxRuns: RUNS });
  for (let index = 0; index < ONCE; index++)
    await create(few, `before-${index}`, { type: 'delay', delay: `${2 + index}s` });
  await eventually(
    () => calls.size,
    (count) => count >= 10,
  );
  expect([...(await shardsWithEntries(few))].every((shard) => shard < 2)).toBe(true);
  await few.stop();

  const many = await Host.start({ port: 0, dataDir, assembly: await withShards(8) });
  // Writers see the new count at the first tick, or within the minute for which they cache the old one.
  for (let index = 0; index < ONCE; index++)
    await create(many, `after-${index}`, { type: 'delay', delay: `${5 + index}s` });
  await eventually(
    () => calls.size,
    (count) => count >= intervals.length * RUNS + 2 * ONCE,
    PATIENCE_MS,
  );
  // By now, all of that may have run in less than the minute of the cache.
  let created = 0;
  await eventually(
    async () => {
      await create(many, `later-${created++}`, { type: 'delay', delay: '1h' });
      return Math.max(...(await shardsWithEntries(many)));
    },
    (shard) => shard >= 2,
  );
  await many.stop();

  expect([...calls].filter(([, count]) => count !== 1)).toEqual([]);
  expect(calls.size).toBe(intervals.length * RUNS + 2 * ONCE);
  expect(many.errors).not.toContain('AccessDenied');
}, 400_000);
