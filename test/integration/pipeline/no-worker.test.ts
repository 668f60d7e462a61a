import type { Call } from '../../support/dynamo/memory-dynamo';
import { executionOf } from '../../../lambdas/core/store/dynamo/executions/execution-row';
import { IS_DEEP } from '../../support/deep';
import { newJobAt } from '../../support/new-job';
import { MINUTE_MS, target } from '../../support/offered-work';
import { PipelineWorld } from '../../support/pipeline-world';

/** `npm run test:deep` lets a whole day pass. */
const [JOBS, MINUTES] = IS_DEEP ? [50, 1_440] : [5, 60];
const WINDOW = 15;
const everyMinute = { type: 'cron' as const, expression: '* * * * *' };

/** The next entry, the ticket, its entry at the limit, its removal, the record, and repeated rechecks. */
const MOST_WRITES = 8;
const WRITES = new Set(['PutCommand', 'UpdateCommand', 'DeleteCommand']);

/** Rows that a call writes. */
function rowsIn({ command, input }: Call): number {
  if (command !== 'BatchWriteCommand') return WRITES.has(command) ? 1 : 0;
  return Object.values(input.RequestItems as Record<string, unknown[]>).flat().length;
}

test(`no worker comes for ${MINUTES} minutes: fires cost the same to the end, and no other project is later`, async () => {
  const world = await PipelineWorld.started(2);
  const ofBob = await world.create(newJobAt(world, { userId: 'bob', schedule: everyMinute }));
  const latest = () =>
    Math.max(
      ...world.tables
        .rows('executions')
        .map((row) => executionOf(row))
        .filter(({ jobKey }) => jobKey === `bob/${ofBob.jobId}`)
        .map(({ latenessMs }) => latenessMs!),
    );
  await world.run(10 * MINUTE_MS);
  const alone = latest();
  let writes = 0;
  world.onCall = (_stage, call) => {
    writes += rowsIn(call);
  };
  await world.run(WINDOW * MINUTE_MS);
  const without = writes;
  for (let index = 0; index < JOBS; index++)
    await world.create(newJobAt(world, { jobId: `job-${index}`, schedule: everyMinute, target }));
  const offered = () =>
    world.tables.rows('schedule').filter(({ bucket }) => String(bucket).startsWith('#work#'));
  const costOfFire = async () => {
    writes = 0;
    await world.run(WINDOW * MINUTE_MS);
    return (writes - without) / (WINDOW * JOBS);
  };
  await world.run(10 * MINUTE_MS);
  const first = await costOfFire();
  await world.run((MINUTES - 4 * WINDOW) * MINUTE_MS);
  const last = await costOfFire();
  expect(first).toBeLessThanOrEqual(MOST_WRITES);
  expect(Math.abs(last - first)).toBeLessThan(0.5);
  expect(offered().length).toBeLessThanOrEqual(2 * JOBS);
  expect(latest() - alone).toBeLessThan(10);
  expect(world.errors()).toEqual([]);
}, 600_000);
