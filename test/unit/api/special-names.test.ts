import { ApiWorld } from './world';

const target = { type: 'http', url: 'https://example.com/hook' };
const definition = { schedule: { type: 'none' }, target };
const workflow = { tasks: { a: { target } }, params: { day: 'x' } };

let world: ApiWorld;
beforeEach(async () => {
  world = new ApiWorld();
  for (const [jobId, body] of Object.entries({
    plain: definition,
    flow: { ...definition, target: undefined, workflow },
  }))
    expect((await world.call('PUT /v1/jobs/{jobId}', { jobId }, body)).status).toBe(201);
});

/** Sends a body whose text `NAME` is a name: `JSON.stringify` cannot write every name. */
const send = (routeKey: string, params: Record<string, string>, body: unknown, name: string) =>
  world.call(routeKey, params, undefined, { raw: JSON.stringify(body).replaceAll('NAME', name) });

const put = (body: object): [string, Record<string, string>, object] => [
  'PUT /v1/jobs/{jobId}',
  { jobId: 'n' },
  body,
];
const flow = (more: object): [string, Record<string, string>, object] =>
  put({ schedule: { type: 'none' }, workflow: { ...workflow, ...more } });
const MAPS: [path: string, request: [string, Record<string, string>, object]][] = [
  ['workflow.tasks', flow({ tasks: { a: { target }, NAME: { target } } })],
  ['workflow.params', flow({ params: { day: 'x', NAME: 1 } })],
  ['workflow.tasks.a.params', flow({ tasks: { a: { job: 'flow', params: { day: 'x', NAME: 1 } } } })],
  ['tags', put({ ...definition, tags: { NAME: 'x' } })],
  ['target.headers', put({ ...definition, target: { ...target, headers: { NAME: 'x' } } })],
  ['schedule.where', put({ ...definition, schedule: { type: 'event', name: 'e', where: { NAME: 1 } } })],
  ['params', ['POST /v1/jobs/{jobId}/run', { jobId: 'flow' }, { params: { NAME: 1 } }]],
  [
    'workflow.tasks',
    ['PATCH /v1/jobs/{jobId}', { jobId: 'flow' }, { workflow: { tasks: { NAME: { target } } } }],
  ],
  ['tags', ['PATCH /v1/jobs/{jobId}', { jobId: 'plain' }, { tags: { NAME: 'x' } }]],
  ['params', ['POST /v1/workflows/check', {}, { workflow, params: { NAME: 1 } }]],
  ['outputs', ['POST /v1/workflows/check', {}, { workflow, outputs: { NAME: 1 } }]],
];

test.each(MAPS)('__proto__ as a name in %s is 400', async (path, [routeKey, params, body]) => {
  const { status, body: problem } = await send(routeKey, params, body, '__proto__');
  expect(status).toBe(400);
  expect(problem.errors).toContainEqual({
    path: `${path}.__proto__`,
    message: 'is not allowed as a name',
  });
});

test.each(MAPS)(
  'no other name in %s is lost: it is kept, or it is named in a 400',
  async (_, [routeKey, params, body]) => {
    for (const name of ['constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__']) {
      const { status, body: answer } = await send(routeKey, params, body, name);
      expect([200, 201, 202, 400]).toContain(status);
      expect(JSON.stringify(answer)).toContain(name);
    }
  },
);

test('an item of a batch with __proto__ as the name of a task is 400 alone', async () => {
  const jobs = [
    definition,
    { schedule: { type: 'none' }, workflow: { tasks: { a: { target }, NAME: { target } } } },
  ];
  const { body } = await send('POST /v1/jobs/batch', {}, { jobs }, '__proto__');
  expect(body.outcomes.map(({ status }: { status: number }) => status)).toEqual([201, 400]);
});

test('a task may be named constructor, and only such a task is one', async () => {
  const given = { tasks: { constructor: { target }, b: { dependsOn: ['constructor'], target } } };
  expect(Object.keys((await send(...flow(given), 'x')).body.workflow.tasks)).toEqual(['constructor', 'b']);
  const missing = {
    tasks: { b: { dependsOn: ['constructor'], target, input: '{{ tasks.toString.output }}' } },
  };
  const { status, body } = await send(...flow(missing), 'x');
  expect([status, body.errors[0].message]).toEqual([400, 'no task "constructor"; allowed: none']);
});

test('a payload keeps such names as data', async () => {
  const raw = '{"payload":{"__proto__":{"a":1},"constructor":2}}';
  expect((await world.call('POST /v1/jobs/{jobId}/run', { jobId: 'plain' }, undefined, { raw })).status).toBe(
    202,
  );
  const body = JSON.stringify({ ...definition, payload: 'NAME' }).replace('"NAME"', '{"__proto__":{"a":1}}');
  const saved = await world.call('PUT /v1/jobs/{jobId}', { jobId: 'n' }, undefined, { raw: body });
  expect(JSON.stringify(saved.body.payload)).toBe('{"__proto__":{"a":1}}');
  expect(JSON.stringify((await world.get('n')).body.payload)).toBe('{"__proto__":{"a":1}}');
});
