import type { Job } from '../../../lambdas/core/domain/job';
import { newJobAt } from '../../support/new-job';
import { PipelineWorld } from '../../support/pipeline-world';

const MINUTE_MS = 60_000;
const payloadSchema = {
  type: 'object',
  properties: { orderId: { type: 'string' }, attempt: { maximum: 0 } },
  required: ['orderId'],
};
const REASON = 'payload.orderId: must be a text, not a number';

async function started(overrides: Partial<Job>) {
  const world = await PipelineWorld.started(1);
  const bodies: unknown[] = [];
  world.observe = ({ body }) => void bodies.push(JSON.parse(body.toString() || 'null'));
  const schedule = { type: 'event', name: 'order.paid' } as const;
  const job = await world.create(
    newJobAt(world, { jobId: 'receipt', schedule, payloadSchema, payload: undefined, ...overrides }),
  );
  const send = (data: unknown, id: string) => world.api('sendEvent', {}, { name: 'order.paid', id, data });
  return { world, job, bodies, send };
}

test('an event that does not fit is a failed run of that job alone, and no call', async () => {
  const { world, job, bodies, send } = await started({});
  await world.create(newJobAt(world, { jobId: 'tax', schedule: { type: 'event', name: 'order.paid' } }));
  const answer = await send({ orderId: 5 }, 'e1');
  expect(answer).toMatchObject({
    status: 202,
    body: {
      runs: [
        { jobId: 'receipt', status: 'failed' },
        { jobId: 'tax', status: 'queued' },
      ],
    },
  });
  await world.run(MINUTE_MS);
  expect(bodies).toEqual([{ orderId: 5 }]); // that of tax
  const [row, ...others] = world.executions(job);
  expect(others).toEqual([]);
  expect(row).toMatchObject({ status: 'failed', reason: 'bad-payload', result: { body: REASON }, fence: 0 });
  const inbox = await world.api('listFailures', {}, undefined, {}, {});
  expect(JSON.stringify(inbox.body)).toContain('bad-payload');
  expect((await send({ orderId: 5 }, 'e1')).body).toMatchObject({ replayed: true });
  expect(world.executions(job)).toHaveLength(1);
});

test('a retry with another payload mends it', async () => {
  const { world, job, bodies, send } = await started({});
  await send({ orderId: 5 }, 'e1');
  await world.run(MINUTE_MS);
  const { execId } = world.executions(job)[0]!;
  const retry = (payload: unknown) => world.api('retryExecution', { jobId: job.jobId, execId }, { payload });
  expect(await retry({ orderId: 6 })).toMatchObject({
    status: 400,
    body: { errors: [{ path: 'payload.orderId', pointer: '/orderId', keyword: 'type' }] },
  });
  expect((await retry({ orderId: 'A-1' })).status).toBe(202);
  await world.run(MINUTE_MS);
  expect(bodies).toEqual([{ orderId: 'A-1' }]);
  expect(world.executions(job)).toMatchObject([{ status: 'succeeded' }]);
});

test('an event without data brings none: the job has none either', async () => {
  const { world, job, send } = await started({});
  await send(undefined, 'e1');
  await world.run(MINUTE_MS);
  const body = 'payload.orderId: is required';
  expect(world.executions(job)).toMatchObject([
    { status: 'failed', reason: 'bad-payload', result: { body } },
  ]);
});

test('a debounced run that waits is left as it is', async () => {
  const schedule = { type: 'event', name: 'order.paid', debounce: '30s' } as const;
  const { world, job, bodies, send } = await started({ schedule });
  await send({ orderId: 'A-1' }, 'e1');
  await send({ orderId: 5 }, 'e2');
  await world.run(2 * MINUTE_MS);
  expect(bodies).toEqual([{ orderId: 'A-1' }]);
  expect(
    world
      .executions(job)
      .map(({ status }) => status)
      .toSorted(),
  ).toEqual(['failed', 'succeeded']);
});

test('what follows a failure follows this one: onEnd, and the pause after failures', async () => {
  const { world, job, bodies, send } = await started({
    pauseAfter: { failures: 2 },
    onEnd: {
      failed: {
        type: 'http',
        url: 'https://example.com/failed',
        method: 'POST',
        headers: {},
        timeout: '10s',
      } as never,
    },
  });
  await send({ orderId: 1 }, 'e1');
  await send({ orderId: 2 }, 'e2');
  await world.run(2 * MINUTE_MS);
  expect(bodies).toMatchObject([{ type: 'quarterjack.end' }, { type: 'quarterjack.end' }]);
  expect((await world.deps.jobs.get(job))?.status).toBe('paused');
});

test('a payload of templates is checked when it is rendered', async () => {
  const { world, job, bodies } = await started({
    templates: true,
    schedule: { type: 'none' },
    payload: { orderId: '{{ run.id }}', attempt: 1 },
  });
  await world.api('runJob', { jobId: job.jobId }, {});
  await world.run(MINUTE_MS);
  expect([bodies, world.executions(job)]).toMatchObject([[], [{ status: 'failed', reason: 'bad-input' }]]);
});
