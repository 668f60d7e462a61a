import type { Job } from '../../../lambdas/core/domain/job';
import type { HttpTarget } from '../../../lambdas/core/domain/target';
import { aTarget, T0_MS } from '../../support/factories';
import { newJobAt } from '../../support/new-job';
import { PipelineWorld } from '../../support/pipeline-world';

const MINUTE_MS = 60_000;
const AT = new Date(T0_MS + 30_000).toISOString();

const TEMPLATED: Partial<Job> = {
  templates: true,
  schedule: { type: 'at', at: AT },
  payload: { run: '{{ run }}', text: "{{ run.dueAt | shift('-1d') }} {{{{" },
  target: aTarget({ url: 'https://example.com/{{ run.day }}', headers: { 'x-run': '{{ run.startedAt }}' } }),
};

/** What the target got: one line for each call, of all that a template can change. */
function seenBy(world: PipelineWorld): string[] {
  const seen: string[] = [];
  world.observe = ({ body }, target) => {
    const { url, headers } = target as HttpTarget;
    seen.push(JSON.stringify({ url, headers, body: String(body) }));
  };
  return seen;
}

test('a retry and a takeover get the same bytes as the first attempt', async () => {
  const world = await PipelineWorld.started(1);
  const seen = seenBy(world);
  world.behaviour = ({ fence }) =>
    fence < 3 ? { outcome: 'retriable', statusCode: 503 } : { outcome: 'succeeded', statusCode: 200 };
  let deaths = 0;
  world.onExecutorCall = ({ command, input }, kill) => {
    if (world.calls.length !== 2 || command === 'GetCommand' || input.TableName !== 'schedule') return;
    world.onExecutorCall = undefined;
    deaths += 1;
    kill();
  };
  const job = await world.create(newJobAt(world, TEMPLATED));
  await world.run(5 * MINUTE_MS);
  expect(deaths).toBe(1);
  expect(world.executions(job)).toEqual([expect.objectContaining({ status: 'succeeded', takeovers: 1 })]);
  expect(world.calls.map(({ attempt, fence }) => [attempt, fence])).toEqual([
    [1, 1],
    [2, 2],
    [3, 3],
  ]);
  expect(seen).toHaveLength(3);
  expect(new Set(seen).size).toBe(1);
  const [{ url, headers, body }] = seen.map((line) => JSON.parse(line) as Record<string, string>) as [
    Record<string, string>,
  ];
  expect(url).toBe('https://example.com/2026-12-01');
  expect(JSON.parse(body!)).toMatchObject({
    run: {
      dueAt: AT,
      trigger: 'schedule',
      startedAt: (headers as unknown as HttpTarget['headers'])['x-run'],
    },
    text: '2026-11-30T08:30:30.000Z {{',
  });
});

test('templates that cannot be rendered end the execution as failed, and no target is called', async () => {
  const world = await PipelineWorld.started(1);
  const targets = [aTarget(), aTarget({ url: 'https://example.com/{{ run.previousDueAt }}' })];
  const job = await world.create(newJobAt(world, { ...TEMPLATED, target: targets[0]!, targets }));
  await world.run(2 * MINUTE_MS);
  expect(world.calls).toEqual([]);
  const [execution] = world.executions(job);
  expect(execution).toMatchObject({ status: 'failed', reason: 'bad-input', failures: 0 });
  expect(execution!.attempts.map(({ outcome, target, error }) => ({ outcome, target, error }))).toEqual(
    [0, 1].map((target) => ({
      outcome: 'fatal',
      target,
      error:
        'targets.1.url: {{ run.previousDueAt }}: run.previousDueAt has no value; the filter default would replace it',
    })),
  );
});

test('a manual run renders the definition, and leaves its own payload alone', async () => {
  const world = await PipelineWorld.started(1);
  const seen = seenBy(world);
  const job = await world.create(newJobAt(world, TEMPLATED));
  await world.api('runJob', { jobId: job.jobId }, { payload: { text: '{{ run.' } });
  await world.run(10_000);
  expect(seen.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({ url: 'https://example.com/2026-12-01', body: '{"text":"{{ run."}' }),
  ]);
});

test.each([
  ['at once', {}],
  ['after a debounce', { debounce: '1m' }],
])('a task has its own input, whatever the event that starts its run has brought: %s', async (_, how) => {
  const world = await PipelineWorld.started(1);
  const bodies: unknown[] = [];
  world.observe = ({ body }) => void bodies.push(JSON.parse(body.toString()));
  const target = { type: 'http', url: 'https://example.com/' };
  const tasks = {
    load: { target, input: { due: '{{ run.day }}', day: '{{ params.day }}' } },
    all: { target, dependsOn: ['load'] },
    each: { target, dependsOn: ['all'], forEach: { items: ['x', 'y'], concurrency: 1 } },
  };
  const job = {
    schedule: { type: 'event', name: 'paid', ...how },
    workflow: { params: { day: 'monday' }, tasks },
  };
  expect((await world.api('putJob', { jobId: 'etl' }, job)).status).toBe(201);
  expect((await world.api('sendEvent', {}, { name: 'paid', data: { region: 'eu' } })).status).toBe(202);
  await world.run(3 * MINUTE_MS);
  expect(bodies).toEqual([{ due: '2026-12-01', day: 'monday' }, { day: 'monday' }, 'x', 'y']);
});
