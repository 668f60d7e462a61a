import { ROUTES } from '../../../lambdas/core/contracts/routes';
import { problem, said } from './problems';
import { paths, ApiWorld } from './world';

describe('a bad request is a 400 that names the parameter, field or header', () => {
  const world = new ApiWorld();
  beforeAll(() => world.create({ jobId: 'whole' }));

  it.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=1000000', 'limit'],
    ['limit=1e1', 'limit'],
    ['limit=', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['status=done', 'status'],
    ['tag=team', 'tag.0'],
    ['q=', 'q'],
    ['colour=red', 'colour'],
    ['__proto__=1', '__proto__'],
    ['cursor=eyJhIjoxfQ', 'cursor'],
  ])('GET /v1/jobs?%s', async (query, path) => {
    expect(said(await world.call('GET /v1/jobs', {}, undefined, { query }), path)).toEqual(problem(400, /./));
  });

  it.each([
    ['order=up', 'order'],
    ['status=lost', 'status'],
    ['from=yesterday', 'from'],
    ['from=2026-12-01T00:00:00', 'from'],
    ['from=2026-12-02T00:00:00Z&to=2026-12-01T00:00:00Z', 'to'],
    ['tag=a:b', 'tag'],
  ])('GET /v1/jobs/{jobId}/executions?%s', async (query, path) => {
    expect(said(await world.executions('whole', query), path)).toEqual(problem(400, /./));
  });

  it.each(['count=0', 'count=101', 'count=x'])('GET …/upcoming?%s', async (query) => {
    const answered = await world.call('GET /v1/jobs/{jobId}/upcoming', { jobId: 'whole' }, undefined, {
      query,
    });
    expect(said(answered, 'count')).toEqual(problem(400, /100/));
  });

  it.each([
    [{}, 'schedule'],
    [{ schedule: 'rate(0 days)' }, 'schedule'],
    [{ schedule: { type: 'cron', expression: '0 0 31 2 *' } }, 'schedule.expression'],
    [{ schedule: 'rate(1 day)', count: 101 }, 'count'],
    [{ schedule: 'rate(1 day)', from: 'now' }, 'from'],
    [{ schedule: 'rate(1 day)', until: 'then' }, 'until'],
  ])('POST /v1/schedules/preview %j', async (body, path) => {
    expect(said(await world.call('POST /v1/schedules/preview', {}, body), path)).toEqual(problem(400, /./));
  });

  it('pause and resume take an empty body, and run takes only a payload', async () => {
    expect(said(await world.post('whole', 'pause', { for: '1h' }), 'for')).toEqual(problem(400, /field/));
    expect(said(await world.post('whole', 'resume', { at: 1 }), 'at')).toEqual(problem(400, /field/));
    expect(said(await world.post('whole', 'run', { paylode: 1 }), 'paylode')).toEqual(problem(400, /field/));
  });

  it.each(ROUTES)('$method $path rejects an unknown query parameter', async ({ method, path }) => {
    const params = { jobId: 'a', execId: '20261201T083000.000Z', number: '1' };
    const answered = await new ApiWorld().call(`${method} ${path}`, params, undefined, {
      query: 'nonsense=1',
    });
    expect(answered.status).toBe(400);
    expect(paths(answered)).toContain('nonsense');
  });

  it('an Idempotency-Key must be 1 to 255 visible ASCII characters', async () => {
    for (const key of ['', 'x'.repeat(256), 'a b', 'ü']) {
      const answered = await world.create({}, { headers: { 'Idempotency-Key': key } });
      expect(said(answered, 'Idempotency-Key')).toEqual(problem(400, /255/));
    }
  });

  it('nothing is written or logged', () => {
    expect(world.tables.rows('Jobs').map((row) => row.jobId)).toEqual(['whole']);
    expect(world.log.lines).toEqual([]);
  });
});
