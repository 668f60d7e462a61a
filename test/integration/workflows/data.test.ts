import type { ProblemView } from '../../../lambdas/core/http/openapi/answers';
import { WorkflowWorld } from '../../support/workflow-world';

const JOB = { jobId: 'etl' };
const MINUTE_MS = 60_000;

const ok = (json: unknown) => ({
  outcome: 'succeeded' as const,
  statusCode: 200,
  body: 'ok',
  output: { json: JSON.stringify(json) },
});

/** A world that keeps the bodies of its deliveries, by tasks. */
async function worldWithBodies(): Promise<{ flow: WorkflowWorld; bodies: Record<string, unknown[]> }> {
  const flow = await WorkflowWorld.started();
  const bodies: Record<string, unknown[]> = {};
  const { observe } = flow.world;
  flow.world.observe = (delivery, target) => {
    observe?.(delivery, target);
    const text = delivery.body.toString('utf8');
    (bodies[flow.lastHeaders['quarterjack-task']!] ??= []).push(text === '' ? undefined : JSON.parse(text));
  };
  return { flow, bodies };
}

test('a task gets what its run was given and what the tasks before it have returned', async () => {
  const { flow, bodies } = await worldWithBodies();
  flow.behave.extract = ok({ rows: 7, files: ['a', 'b'] });
  await flow.save(
    {
      extract: { input: { region: '{{ params.region }}', full: '{{ params.full }}' } },
      load: {
        dependsOn: ['extract'],
        input: {
          files: '{{ tasks.extract.output.files }}',
          text: '{{ tasks.extract.output.rows }} rows, {{ tasks.extract.status }}',
          attempts: '{{ tasks.extract.attempts }}',
        },
      },
      whole: { dependsOn: ['load'] },
      alarm: { finally: 'always', input: { status: '{{ run.status }}', counts: '{{ run.counts }}' } },
    },
    {},
    { params: { region: 'eu', full: false } },
  );
  const execId = await flow.run({ params: { full: true } });
  await flow.world.run(5_000);
  expect(bodies).toEqual({
    extract: [{ region: 'eu', full: true }],
    load: [{ files: ['a', 'b'], text: '7 rows, succeeded', attempts: 1 }],
    whole: [{ region: 'eu', full: true }],
    alarm: [{ status: 'succeeded', counts: { succeeded: 3 } }],
  });
  const { body } = await flow.world.api('getExecution', { ...JOB, execId });
  expect(body).toMatchObject({ workflow: { params: { region: 'eu', full: true } } });
  const task = await flow.world.api('getTask', { ...JOB, execId, taskId: 'extract' });
  expect(task.body).toMatchObject({ output: { rows: 7, files: ['a', 'b'] } });
  // Nothing refers to what it returned, so it is not kept.
  expect(flow.taskRows().load).not.toHaveProperty('output');
  expect(flow.world.errors()).toEqual([]);
});

test('a switch takes the branch of the first case that holds, and the other branches do not count', async () => {
  const { flow } = await worldWithBodies();
  flow.behave.extract = ok({ rows: 2_000_000 });
  await flow.save({
    extract: {},
    route: {
      target: null,
      dependsOn: ['extract'],
      switch: {
        on: '{{ tasks.extract.output.rows }}',
        cases: [
          { branch: 'empty', equals: 0 },
          { branch: 'big', gt: 1_000_000 },
        ],
        default: 'normal',
      },
    },
    load: { dependsOn: [{ task: 'route', branch: 'normal' }] },
    bulk: { dependsOn: [{ task: 'route', branch: 'big' }] },
    check: { dependsOn: ['load', 'bulk'], input: { took: '{{ tasks.route.branch }}' } },
  });
  const execId = await flow.run();
  await flow.world.run(5_000);
  expect(flow.called).toEqual(['extract', 'bulk', 'check']);
  expect(await flow.statuses(execId)).toEqual({
    extract: 'succeeded',
    route: 'succeeded',
    load: 'excluded',
    bulk: 'succeeded',
    check: 'succeeded',
  });
  const { body } = await flow.world.api('getTask', { ...JOB, execId, taskId: 'route' });
  expect(body).toMatchObject({ kind: 'switch', branch: 'big' });
  expect(flow.runRow.status).toBe('succeeded');
});

test('a task whose condition does not hold is excluded and calls nothing, also with maxParallel', async () => {
  const { flow } = await worldWithBodies();
  await flow.save(
    {
      full: { when: { value: '{{ params.full }}', equals: true } },
      after: { dependsOn: ['full'] },
      part: { when: { value: '{{ params.full }}', equals: false } },
      any: {
        when: {
          any: [
            { value: '{{ params.full }}', equals: 1 },
            { value: 'x', in: ['x'] },
          ],
        },
      },
      joined: { target: null, when: { value: '{{ params.full }}', equals: true } },
    },
    {},
    { params: { full: false }, maxParallel: 1 },
  );
  const execId = await flow.run();
  await flow.world.run(5_000);
  expect(flow.called.toSorted()).toEqual(['any', 'part']);
  expect(await flow.statuses(execId)).toEqual({
    full: 'excluded',
    after: 'excluded',
    part: 'succeeded',
    any: 'succeeded',
    joined: 'excluded',
  });
  expect(flow.runRow.status).toBe('succeeded');
});

test('a value that is missing fails the task with the expression, and handlers run', async () => {
  const { flow } = await worldWithBodies();
  flow.behave.extract = ok({ rows: [] });
  await flow.save({
    extract: {},
    load: { dependsOn: ['extract'], input: '{{ tasks.extract.output.rows[0].id }}' },
    route: {
      target: null,
      dependsOn: ['extract'],
      switch: { on: '{{ tasks.extract.output.n }}', cases: [{ branch: 'a', gt: 1 }], default: 'b' },
    },
    handle: { dependsOn: [{ task: 'route', if: 'failed' }] },
  });
  const execId = await flow.run();
  await flow.world.run(5_000);
  expect(flow.called).toEqual(['extract', 'handle']);
  const task = async (taskId: string) =>
    (await flow.world.api('getTask', { ...JOB, execId, taskId })).body as object;
  expect(await task('load')).toMatchObject({ status: 'failed', reason: 'bad-input' });
  expect(await task('route')).toMatchObject({
    status: 'failed',
    reason: 'bad-input',
    result: { body: expect.stringContaining('{{ tasks.extract.output.n }} has no value') },
  });
  expect(flow.runRow).toMatchObject({ status: 'failed', reason: 'task-failed' });
});

test('an output that is too large fails the task, for it is not what the tasks after it need', async () => {
  const { flow } = await worldWithBodies();
  flow.behave.extract = { outcome: 'succeeded', statusCode: 200, output: 'too-large' };
  await flow.save({
    extract: {},
    load: { dependsOn: ['extract'], input: '{{ tasks.extract.output }}' },
  });
  const execId = await flow.run();
  await flow.world.run(5_000);
  expect(await flow.statuses(execId)).toEqual({ extract: 'failed', load: 'blocked' });
  expect(flow.taskRows().extract).toMatchObject({
    reason: 'output-too-large',
    attempts: [{ outcome: 'fatal', error: expect.stringContaining('32768 bytes') }],
  });
});

test('every attempt of a task gets the same bytes, and an executor that died costs no output', async () => {
  const { flow, bodies } = await worldWithBodies();
  flow.behave.extract = ok(5);
  flow.behave.load = { outcome: 'retriable', statusCode: 503, error: 'target answered 503' };
  await flow.save({
    extract: {},
    load: {
      dependsOn: ['extract'],
      input: { n: '{{ tasks.extract.output }}', at: '{{ tasks.extract.finishedAt }}' },
      retry: { maxAttempts: 3, initialDelay: '1s' },
    },
  });
  await flow.run();
  await flow.world.run(MINUTE_MS);
  expect(bodies.load).toHaveLength(3);
  expect(new Set(bodies.load!.map((body) => JSON.stringify(body))).size).toBe(1);
  expect(bodies.load![0]).toMatchObject({ n: 5 });
});

test('a definition is checked: each fault names its task, its field and what was probably meant', async () => {
  const { flow } = await worldWithBodies();
  const check = async (workflow: object): Promise<string[]> => {
    const { body } = await flow.world.api('checkWorkflow', {}, { workflow });
    return (body as { errors: { path: string; message: string }[] }).errors.map(
      ({ path, message }) => `${path}: ${message}`,
    );
  };
  const target = { type: 'http', url: 'https://example.com/hook' };
  const switchOn = (on: string) => ({
    switch: { on, cases: [{ branch: 'a', equals: 1 }], default: 'b' },
  });
  expect(
    await check({
      params: { region: 'eu' },
      tasks: { a: { target, input: '{{ params.regoin }}' }, b: { target, input: '{{ tasks.a.output }}' } },
    }),
  ).toEqual([
    'workflow.tasks.a.input: {{ params.regoin }}: there is no parameter "regoin"; did you mean "region"?',
  ]);
  expect(await check({ tasks: { a: { target }, b: { target, input: '{{ tasks.a.output }}' } } })).toEqual([
    'workflow.tasks.b.input: {{ tasks.a.output }}: the task "a" may not have ended when this one starts: it must depend on it',
  ]);
  expect(
    await check({
      tasks: {
        extract: { target },
        load: {
          dependsOn: ['extract'],
          target,
          input: '{{ tasks.extrct.output }} {{ tasks.extract.ouput }}',
        },
      },
    }),
  ).toEqual([
    'workflow.tasks.load.input: {{ tasks.extrct.output }}: there is no task "extrct"; did you mean "extract"?',
    'workflow.tasks.load.input: {{ tasks.extract.ouput }}: tasks.extract has no field "ouput"; did you mean "output"?',
  ]);
  expect(
    await check({
      tasks: {
        r: switchOn('{{ run.status }}'),
        x: { dependsOn: [{ task: 'r', branch: 'c' }], target, when: { value: '{{ tasks.r.output }}' } },
      },
    }),
  ).toEqual([expect.stringMatching(/^workflow\.tasks\.x\.when: must have one of equals/)]);
  expect(
    await check({
      tasks: { r: switchOn('x'), x: { dependsOn: [{ task: 'r', branch: 'c' }], target } },
    }),
  ).toEqual(['workflow.tasks.x.dependsOn.0.branch: the switch "r" has no branch "c"; allowed: a, b']);
  expect(await check({ tasks: { r: switchOn('{{ run.status }}') } })).toEqual([
    'workflow.tasks.r.switch.on: {{ run.status }}: run.status is known in finally tasks and in the output of the run only',
  ]);
});

test('a check shows what each task would get, and writes nothing', async () => {
  const { flow } = await worldWithBodies();
  const target = { type: 'http', url: 'https://example.com/hook' };
  const workflow = {
    params: { region: 'eu' },
    tasks: {
      extract: { target, input: { region: '{{ params.region }}', day: '{{ run.day }}' } },
      load: { dependsOn: ['extract'], target, input: '{{ tasks.extract.output.files }}' },
      last: { dependsOn: ['extract'], target, input: '{{ tasks.extract.output.n }}' },
    },
  };
  const { status, body } = await flow.world.api(
    'checkWorkflow',
    {},
    {
      workflow,
      params: { region: 'us' },
      outputs: { extract: { files: ['a'] } },
      dueAt: '2026-12-24T23:30:00Z',
      schedule: { type: 'cron', expression: '30 0 * * *', timezone: 'Europe/Berlin' },
    },
  );
  expect(status).toBe(200);
  expect(body).toEqual({
    errors: [],
    levels: [['extract'], ['last', 'load']],
    rendered: { extract: { region: 'us', day: '2026-12-25' }, load: ['a'] },
    unrendered: { last: expect.stringContaining('tasks.extract.output.n has no value') },
    estimate: { writes: 13, dollars: 0.000_008_125 },
  });
  expect(flow.rows()).toEqual([]);
});

test('the parameters of a run are checked against those of the workflow', async () => {
  const { flow } = await worldWithBodies();
  await flow.save({ a: {} }, {}, { params: { region: 'eu', limit: 5, any: null } });
  const run = async (params: object) => {
    const { status, body } = await flow.world.api('runJob', JOB, { params });
    const { errors = [] } = body as Partial<ProblemView>;
    return [status, ...errors.map(({ path, message }) => `${path}: ${message}`)];
  };
  expect(await run({ regoin: 'us', limit: '5' })).toEqual([
    400,
    'params.regoin: is no parameter of the workflow; did you mean "region"?',
    'params.limit: must be a number, as its default 5, not "5"',
  ]);
  expect(await run({ any: [1], limit: 6 })).toEqual([202]);
});
