import { type Answered, ApiWorld, paths } from '../world';

const SCHEMA = {
  type: 'object',
  properties: { orderId: { type: 'string', pattern: '^A-' }, count: { type: 'integer', minimum: 1 } },
  required: ['orderId'],
  additionalProperties: false,
};
const OWN = { schedule: { type: 'none' }, payloadSchema: SCHEMA };

const MISSING = {
  path: 'payload.orderId',
  pointer: '/orderId',
  keyword: 'required',
  message: 'is required',
};

const errors = ({ status, body }: Answered) => ({ status, errors: body.errors as unknown });

describe('a job with a payload schema', () => {
  it('shows it as it was given, and what of it is not checked', async () => {
    const world = new ApiWorld();
    const created = await world.create({ jobId: 'a', ...OWN });
    expect(created.body).toMatchObject({
      payloadSchema: SCHEMA,
      payloadSchemaUnchecked: ['/properties/orderId/pattern'],
    });
    expect((await world.get('a')).body).toEqual(created.body);
    const checked = { ...SCHEMA, properties: { orderId: { type: 'string' } } };
    const changed = await world.call(
      'PUT /v1/jobs/{jobId}',
      { jobId: 'a' },
      { ...(created.body.target && { target: created.body.target }), ...OWN, payloadSchema: checked },
    );
    expect(changed.body).toMatchObject({ payloadSchema: checked, payloadSchemaUnchecked: [] });
    const removed = await world.patch('a', { payloadSchema: null });
    expect(removed.body).not.toHaveProperty('payloadSchema');
    expect(removed.body).not.toHaveProperty('payloadSchemaUnchecked');
  });

  it.each([
    [{ properties: { a: { $anchor: 'x' } } }, 'payloadSchema.properties.a.$anchor', 'is not supported'],
    [
      { $ref: 'https://example.com/a' },
      'payloadSchema.$ref',
      'must be "#", or begin with "#/": no other reference is followed',
    ],
    [{ title: 'x'.repeat(20_000) }, 'payloadSchema', 'must have at most 16384 bytes as JSON, not 20012'],
  ])('refuses what the server cannot check: %#', async (payloadSchema, path, message) => {
    const answer = await new ApiWorld().create({ ...OWN, payloadSchema });
    expect(errors(answer)).toEqual({ status: 400, errors: [{ path, message }] });
  });

  it('counts towards the quota of bytes', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a', ...OWN });
    const usage = await world.call('GET /v1/usage');
    expect(JSON.stringify(usage.body)).toContain(`"payloadBytes":{"used":${JSON.stringify(SCHEMA).length}`);
  });

  it('keeps names such as __proto__', async () => {
    const world = new ApiWorld();
    const raw = `{ "jobId": "a", "schedule": { "type": "none" }, "target": { "type": "http", "url": "https://example.com/" },
      "payloadSchema": { "properties": { "__proto__": { "type": "number" } } } }`;
    expect((await world.call('POST /v1/jobs', {}, undefined, { raw })).status).toBe(201);
    const refused = await world.call('POST /v1/jobs/{jobId}/run', { jobId: 'a' }, undefined, {
      raw: '{ "payload": { "__proto__": "x" } }',
    });
    expect(paths(refused)).toEqual(['payload.__proto__']);
  });
});

describe('the own payload of a job', () => {
  it.each([
    ['is missing', {}],
    ['does not fit', { payload: { count: 1 } }],
  ])('is refused if it %s and the clock delivers it', async (_, own) => {
    const answer = await new ApiWorld().create({ payloadSchema: SCHEMA, ...own });
    expect(errors(answer)).toEqual({ status: 400, errors: [MISSING] });
  });

  it('may be missing if each run brings one', async () => {
    const world = new ApiWorld();
    expect((await world.create({ ...OWN })).status).toBe(201);
    expect((await world.create({ ...OWN, schedule: { type: 'event', name: 'a' } })).status).toBe(201);
    expect(paths(await world.create({ ...OWN, payload: {} }))).toEqual(['payload.orderId']);
  });

  it('is checked when its templates are rendered, not before', async () => {
    const own = {
      payloadSchema: SCHEMA,
      templates: true,
      payload: { orderId: 'A-1', count: '{{ run.id }}' },
    };
    expect((await new ApiWorld().create(own)).status).toBe(201);
  });

  it('is checked again by a changed schema, and by a restored one', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a', schedule: { type: 'none' }, payload: { orderId: 5 } });
    const refused = await world.patch('a', { payloadSchema: SCHEMA });
    expect(errors(refused)).toEqual({
      status: 400,
      errors: [
        {
          path: 'payload.orderId',
          pointer: '/orderId',
          keyword: 'type',
          message: 'must be a text, not a number',
        },
      ],
    });
    await world.patch('a', { payload: { orderId: 'A-1' }, payloadSchema: SCHEMA });
    expect((await world.patch('a', { payload: null, payloadSchema: null })).status).toBe(200);
    const restored = await world.call('POST /v1/jobs/{jobId}/changes/{number}/restore', {
      jobId: 'a',
      number: '2',
    });
    expect(restored.body).toMatchObject({ payloadSchemaUnchecked: ['/properties/orderId/pattern'] });
  });
});

describe('a run by hand', () => {
  it('is refused unless its payload fits', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a', ...OWN });
    const answer = await world.post('a', 'run', { payload: { orderId: 'A-1', count: 0, 'a/b': 1 } });
    expect(errors(answer)).toEqual({
      status: 400,
      errors: [
        { path: 'payload.count', pointer: '/count', keyword: 'minimum', message: 'must be at least 1' },
        {
          path: 'payload.a/b',
          pointer: '/a~1b',
          keyword: 'additionalProperties',
          message: 'is not a known field',
        },
      ],
    });
    expect(errors(await world.post('a', 'run'))).toEqual({ status: 400, errors: [MISSING] });
    expect(world.tables.rows('Executions')).toEqual([]);
    expect((await world.post('a', 'run', { payload: { orderId: 'not by the pattern' } })).status).toBe(202);
  });

  it('without a payload gets that of its job, which was checked', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a', ...OWN, payload: { orderId: 'A-1' } });
    expect((await world.post('a', 'run')).status).toBe(202);
  });

  it('is refused if the check takes too long', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a', ...OWN, payloadSchema: { allOf: [{ $ref: '#' }] } });
    const answer = await world.post('a', 'run', { payload: {} });
    expect(answer).toMatchObject({
      status: 400,
      body: { type: expect.stringMatching(/payload-too-complex$/), errors: [{ path: 'payload' }] },
    });
  });
});

describe('parameters of runs', () => {
  const workflow = {
    params: { region: null, limit: 10 },
    tasks: { load: { target: { type: 'http', url: 'https://example.com/' } } },
  };
  const payloadSchema = { properties: { region: { enum: ['eu', 'us'] }, limit: { maximum: 100 } } };
  const flow = { jobId: 'a', target: undefined, workflow, payloadSchema };

  it('fit with the defaults of the others', async () => {
    const world = new ApiWorld();
    await world.create({ ...flow, schedule: { type: 'none' } });
    expect((await world.post('a', 'run', { params: { region: 'eu' } })).status).toBe(202);
    const refused = await world.post('a', 'run', { params: { limit: 500 } });
    expect(paths(refused)).toEqual(['params.region', 'params.limit']);
    expect(refused.body.errors[0]).toMatchObject({ pointer: '/region', keyword: 'enum' });
    expect(paths(await world.post('a', 'run'))).toEqual(['params.region']);
  });

  it.each<object>([
    { type: 'cron', expression: '0 9 * * *' },
    { type: 'event', name: 'x' },
  ])('that nothing gives have to fit when the job is saved: %j', async (schedule) => {
    expect(paths(await new ApiWorld().create({ ...flow, schedule }))).toEqual(['workflow.params.region']);
  });

  it('of a backfill are refused too', async () => {
    const world = new ApiWorld();
    const defaults = { ...workflow, params: { region: 'eu', limit: 10 } };
    await world.create({ ...flow, workflow: defaults });
    const body = { from: '2026-11-01T00:00:00Z', to: '2026-11-03T00:00:00Z', dryRun: true };
    const backfill = (params?: object) =>
      world.call('POST /v1/jobs/{jobId}/backfills', { jobId: 'a' }, { ...body, ...(params && { params }) });
    expect((await backfill()).status).toBe(200);
    expect(paths(await backfill({ region: 'de' }))).toEqual(['params.region']);
  });
});
