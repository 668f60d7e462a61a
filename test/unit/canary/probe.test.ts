import { runCanary } from '../../../lambdas/canary/probe';
import { LANES } from '../../../lambdas/core/contracts/pools';
import { Metric } from '../../../lambdas/core/contracts/metrics';
import { PipelineWorld } from '../../support/pipeline-world';
import { lanesOf } from '../../support/received';

const MINUTE_MS = 60_000;

/** The canary of a world, whose runs come every five minutes. */
async function canaryOf(world: PipelineWorld, count = 8) {
  const deps = {
    api: {
      putJob: (jobId: string, definition: object) => world.api('putJob', { jobId }, definition),
      getExecution: (jobId: string, execId: string) => world.api('getExecution', { jobId, execId }),
    },
    clock: world.clock,
    log: world.log,
    meter: world.meter,
    targetUrl: 'https://api.example.com/v1/health',
  };
  const runs = [];
  for (let run = 0; run < count; run++) {
    runs.push(await runCanary({ ...deps, api: bodies(deps.api) }));
    await world.run(5 * MINUTE_MS);
  }
  return runs;
}

/** The API's answers as they come over the wire. */
const bodies = (api: {
  putJob(jobId: string, definition: object): Promise<{ status: number; body?: unknown }>;
  getExecution(jobId: string, execId: string): Promise<{ status: number; body?: unknown }>;
}) => ({
  putJob: async (jobId: string, definition: object) => wire(await api.putJob(jobId, definition)),
  getExecution: async (jobId: string, execId: string) => wire(await api.getExecution(jobId, execId)),
});
const wire = ({ status, body }: { status: number; body?: unknown }) => ({
  status,
  body: JSON.parse(JSON.stringify(body ?? null)) as unknown,
});

const delivered = (runs: { delivered: boolean }[]) => runs.map((run) => run.delivered);

test('each run makes a job, and measures the one of three runs before', async () => {
  const world = await PipelineWorld.started(1);
  const runs = await canaryOf(world);
  expect(runs.every(({ registered }) => registered)).toBe(true);
  expect(delivered(runs)).toEqual([false, false, false, true, true, true, true, true]);
  const measured = world.meter.values(Metric.canaryDeliveryMs);
  expect(measured).toHaveLength(5);
  expect(Math.max(...measured)).toBeLessThan(500);
  expect(world.meter.values(Metric.canaryRegistrationMs)).toHaveLength(8);
  expect(world.errors()).toEqual([]);
});

test('its jobs take each lane in turn, but the overflow', async () => {
  const world = await PipelineWorld.started(1);
  const lanes = lanesOf(world);
  await canaryOf(world, 14);
  expect(lanes).toHaveLength(12); // the last two are not due yet
  expect(lanes.slice(0, 6).toSorted()).toEqual(LANES.filter((lane) => lane !== 'overflow').toSorted());
  expect(lanes.slice(6)).toEqual(lanes.slice(0, 6));
  expect(world.meter.values(Metric.canaryDeliveryMs)).toHaveLength(11);
});

test('its jobs are dispatched by tick and scanner, not by the API itself', async () => {
  const world = await PipelineWorld.started(1);
  world.on.scan = false;
  world.on.sweep = false;
  expect(delivered(await canaryOf(world))).not.toContain(true);
  expect(world.calls).toEqual([]);
});

test('what is not delivered counts as minutes late, and is told', async () => {
  const world = await PipelineWorld.started(1);
  world.behaviour = () => ({ outcome: 'fatal', statusCode: 404 });
  expect(delivered(await canaryOf(world))).not.toContain(true);
  const measured = world.meter.values(Metric.canaryDeliveryMs);
  expect(measured).toHaveLength(5);
  expect(Math.min(...measured)).toBeGreaterThanOrEqual(4 * MINUTE_MS);
  const lines = world.log.lines.filter(({ message }) => message === 'canary was not delivered');
  expect(new Set(lines.map(({ fields }) => fields?.lane)).size).toBe(5);
});

test('a run that comes twice makes no second job', async () => {
  const world = await PipelineWorld.started(1);
  const runs = [];
  for (let again = 0; again < 2; again++) runs.push(await canaryOf(world));
  expect(world.tables.rows('jobs').filter(({ jobId }) => String(jobId).startsWith('canary-'))).toHaveLength(
    4,
  );
});

test('a job that cannot be created is logged, and the earlier one is checked all the same', async () => {
  const world = await PipelineWorld.started(1);
  const api = {
    putJob: async () => ({ status: 429, body: { detail: 'too many' } }),
    getExecution: async () => ({ status: 404, body: {} }),
  };
  const { clock, log, meter } = world;
  const run = await runCanary({ api, clock, log, meter, targetUrl: 'https://api.example.com/v1/health' });
  expect(run).toEqual({ registered: false, delivered: false });
  expect(log.messages('error')).toEqual(['canary could not be registered']);
  expect(log.messages('info')).toEqual(['canary has no earlier run to ask about']);
});
