import { DAY_MS } from '../../../lambdas/core/clock/clock';
import { isBoundByWrites } from '../../../lambdas/api/admit-writes';
import { ROUTES } from '../../../lambdas/core/contracts/routes';
import { apiSurroundings } from '../../support/surroundings';
import { aBody, type Answered, ApiWorld } from './world';

const QUOTA = 20_000;

function aWorld(writtenBytesPerDay = QUOTA) {
  const { deployment } = apiSurroundings;
  const quotas = { ...deployment.quotas, writtenBytesPerDay };
  return new ApiWorld({ deployment: { ...deployment, quotas } }, { writtenBytesPerDay });
}

const JOB = { schedule: { type: 'none' } };
/** No two are equal, and gzip makes none of them small. */
const text = (n: number, bytes: number) =>
  Array.from({ length: bytes }, (_, at) =>
    String.fromCharCode(97 + ((at * n * n + at * at * 7 + n) % 26)),
  ).join('');
const workflow = (n: number) => {
  const target = { type: 'http', url: `https://example.com/${text(n, 1_500)}` };
  return { tasks: { load: { target }, check: { target } } };
};
const secret = (n: number) => ({ value: text(n, 2_000), hosts: ['example.com'] });

/** What a caller can repeat for ever, and what each time leaves a row. `n` counts the requests. */
const KINDS: [string, (world: ApiWorld, n: number) => Promise<Answered>][] = [
  ['kept states of a job', (world, n) => world.patch('j', { name: `name ${n}`, payload: text(n, 3_000) })],
  ['jobs', (world, n) => world.create({ ...JOB, jobId: `n${n}`, payload: text(n, 3_000) })],
  [
    'jobs in batches',
    (world, n) =>
      world.call(
        'POST /v1/jobs/batch',
        {},
        { jobs: [{ ...aBody(), ...JOB, jobId: `b${n}`, payload: text(n, 3_000) }] },
      ),
  ],
  ['replaced workflows', (world, n) => putJob(world, 'w', { workflow: workflow(n) })],
  ['runs with an input', (world, n) => world.post('j', 'run', { payload: { text: text(n, 3_000) } })],
  [
    'versions of a calendar',
    (world, n) =>
      world.call(
        'PUT /v1/calendars/{calendarId}',
        { calendarId: 'c' },
        {
          dates: Array.from({ length: 30 }, (_, day) => ({
            from: `2026-12-${String(day + 1).padStart(2, '0')}T08:00`,
            to: `2026-12-${String(day + 1).padStart(2, '0')}T09:00`,
            note: text(n + day, 100),
          })),
        },
      ),
  ],
  ['events', (world, n) => world.call('POST /v1/events', {}, { id: `e${n}`, name: 'order.paid', data: 1 })],
  ['secrets', (world, n) => world.call('PUT /v1/secrets/{name}', { name: 's' }, secret(n))],
  [
    'concurrency keys',
    (world, n) => world.call('PUT /v1/concurrency-keys/{key}', { key: 'k' }, { limit: 1 + (n % 50) }),
  ],
  [
    'notifications',
    (world, n) =>
      world.clock.settle(
        world.call(
          'PUT /v1/notifications/{id}',
          { id: 'n' },
          { on: ['failed'], target: { type: 'http', url: `https://example.com/${n}` } },
        ),
      ),
  ],
  ['API keys', (world, n) => world.call('POST /v1/api-keys', {}, { name: `key ${n % 3}`, role: 'viewer' })],
];

const putJob = (world: ApiWorld, jobId: string, body: object) =>
  world.call('PUT /v1/jobs/{jobId}', { jobId }, { ...JOB, ...body });

describe('the quota writtenBytesPerDay', () => {
  it.each(KINDS)('ends a day of %s', async (_, request) => {
    const world = aWorld();
    await world.create({ ...JOB, jobId: 'j' });
    let answered: Answered;
    let requests = 0;
    do {
      answered = await request(world, ++requests);
    } while (answered.status < 400 && requests < 2_000);
    expect(answered).toMatchObject({ status: 429 });
    expect(answered.body.detail).toMatch(/^the quota writtenBytesPerDay is 20000: \d{5} bytes are written/);
    expect(answered.body.type).toBe('/v1/problems/quota-exceeded');
    const leftMs = DAY_MS - (world.clock.nowMs() % DAY_MS);
    expect(Number(answered.headers['retry-after'])).toBe(Math.ceil(leftMs / 1_000));
    await world.clock.advance(leftMs);
    expect((await request(world, requests + 1)).status).toBeLessThan(300);
  });

  /** A world whose project `alice` has a job, a run of it under way, and no room left today. */
  async function full() {
    const world = aWorld();
    await world.create({ ...aBody(), jobId: 'j' });
    const { execId } = (await world.post('j', 'run')).body;
    while (
      (await world.patch('j', { payload: text(1, 3_000 + world.tables.rows('Executions').length) }))
        .status === 200
    );
    return { world, execId };
  }

  it.each([
    ['a pause', 'POST /v1/jobs/{jobId}/pause', undefined],
    ['a delete', 'DELETE /v1/jobs/{jobId}', undefined],
    ['a bulk that pauses', 'POST /v1/bulk', { action: 'pause', filter: {}, all: true }],
    ['a bulk that deletes', 'POST /v1/bulk', { action: 'delete', filter: {}, all: true, expect: 1 }],
    ['a cancel', 'POST /v1/jobs/{jobId}/executions/{execId}/cancel', undefined],
    ['a preview', 'POST /v1/schedules/preview', { schedule: { type: 'cron', expression: '0 9 * * *' } }],
  ])('lets %s pass', async (_, routeKey, body) => {
    const { world, execId } = await full();
    expect((await world.patch('j', { name: 'other' })).status).toBe(429);
    const params: Record<string, string> = routeKey.includes('{execId}')
      ? { jobId: 'j', execId }
      : { jobId: 'j' };
    expect((await world.call(routeKey, params, body)).status).toBeLessThan(300);
  });

  it.each(['resume', 'patch', 'run', 'retry'])('refuses a bulk with the action %s', async (action) => {
    const { world } = await full();
    const body = { action, filter: {}, all: true, ...(action === 'patch' && { patch: { name: 'x' } }) };
    const answered = await world.call('POST /v1/bulk', {}, body, { headers: { 'idempotency-key': 'one' } });
    expect(answered.body.detail).toContain('the quota writtenBytesPerDay is 20000');
  });

  it('is one of each project', async () => {
    const { world } = await full();
    expect((await world.create({ jobId: 'b' }, { user: 'bob' })).status).toBe(201);
  });

  it('is shown with what is used', async () => {
    const world = aWorld();
    const used = async () => (await world.call('GET /v1/usage')).body.writtenBytesPerDay;
    expect(await used()).toEqual({ used: 0, allowed: QUOTA, approximate: true });
    await world.create({ jobId: 'j', payload: text(1, 3_000) });
    const { used: once } = await used();
    expect(once).toBeGreaterThan(3_000);
    expect(once).toBeLessThan(6_000);
    await world.remove('j');
    expect((await used()).used).toBeGreaterThan(once + 100);
  });

  it('bounds every route that leaves rows of its project', () => {
    const pass = ROUTES.filter(({ method }) => method !== 'GET').filter((route) => !isBoundByWrites(route));
    expect(pass.map(({ operation }) => operation).toSorted()).toEqual([
      'appendLog',
      'approveTask',
      'bulk',
      'cancelExecution',
      'cancelTask',
      'checkWorkflow',
      'claimWork',
      'completeAttempt',
      'deleteCalendar',
      'deleteConcurrencyKey',
      'deleteFailureAck',
      'deleteJob',
      'deleteJobChange',
      'deleteNotification',
      'deleteProjectPingKey',
      'deleteSecret',
      'failAttempt',
      'heartbeatAttempt',
      'lookupExecutions',
      'pauseJob',
      'pauseRun',
      'previewSchedule',
      'provisionMonitor', // it asks by itself, for the project of its key
      'redriveQueue',
      'rejectTask',
      'releaseWork',
      'resumeRun',
      'revokeApiKey',
      'revokeApiKeys',
      'startDeployment',
      'stopDeployment',
      'unblockOrderingKey',
    ]);
  });
});
