import type { EmailSubscriptions } from '../../../../lambdas/core/delivery/email-subscriptions';
import { ApiWorld } from '../world';
import { call, put, scope, target } from './requests';

const audit = async (world: ApiWorld): Promise<string[]> => {
  const { body: page } = await world.call('GET /v1/audit', {}, undefined, { scope });
  return (page.items as { what: string; resource: string; outcome: string }[]).map(
    ({ what, resource, outcome }) => `${what} ${resource} ${outcome}`,
  );
};

describe('a notification', () => {
  it('is created, replaced, listed and deleted, and each change is on record', async () => {
    const world = new ApiWorld();
    const created = await put(world);
    const shown = {
      id: 'ops',
      on: ['failed'],
      target: { ...target, method: 'POST', headers: {}, timeout: '30s', mode: 'sync' },
      minInterval: '10m',
      format: 'json',
      jobId: '~n-ops',
      createdAt: '2026-12-01T08:30:00.000Z',
      by: { sub: 'alice', name: null, via: 'token' },
    };
    expect(created).toMatchObject({ status: 201, body: shown });
    await world.clock.advance(1_000);
    const late = { on: ['late', 'failed'], lateAfter: '5m', filter: { tag: 'team:a:b' }, format: 'slack' };
    const replaced = await put(world, late);
    expect(replaced).toMatchObject({
      status: 200,
      body: { ...shown, ...late, updatedAt: '2026-12-01T08:30:02.000Z' },
    });
    expect((await call(world, 'GET', 'ops')).body).toEqual(replaced.body);
    await world.clock.advance(1_000);
    await put(world, {}, 'billing');
    const list = await world.call('GET /v1/notifications', {}, undefined, { scope, query: 'limit=1' });
    expect(list.body).toMatchObject({ items: [{ id: 'billing' }], nextCursor: expect.any(String) });
    expect((await call(world, 'DELETE', 'ops')).status).toBe(204);
    expect((await call(world, 'GET', 'ops')).status).toBe(404);
    expect(await audit(world)).toEqual([
      'notification.deleted ops done',
      'notification.set billing done',
      'notification.set ops done',
      'notification.set ops done',
    ]);
  });

  it('belongs to its project, and to its owners', async () => {
    const world = new ApiWorld();
    await put(world);
    expect((await call(world, 'GET', 'ops', undefined, { user: 'bob' })).status).toBe(404);
    expect((await put(world, {}, 'ops', { scope: 'jobs:read jobs:write' })).status).toBe(403);
  });

  it.each([
    [{ on: [] }, 'on', 'must have 1 to 9 different values'],
    [{ on: ['failed', 'failed'] }, 'on', 'must have 1 to 9 different values'],
    [{ on: ['exploded'] }, 'on.0', expect.any(String)],
    [{ on: ['late'] }, 'lateAfter', 'is required with "late" in on'],
    [{ lateAfter: '5m' }, 'lateAfter', 'is only allowed with "late" in on'],
    [{ on: ['late'], lateAfter: '29s' }, 'lateAfter', expect.stringContaining('must be from 30s to 30d')],
    [{ minInterval: '59s' }, 'minInterval', expect.stringContaining('must be from 1m to 7d')],
    [{ filter: { tag: 'billing' } }, 'filter.tag', 'must be a tag, such as "team:billing"'],
    [{ format: 'xml' }, 'format', expect.any(String)],
    [{ target: { type: 'http', url: 'http://10.0.0.1/' } }, 'target.url', expect.any(String)],
    [
      { target: { type: 'email', to: 'ops@@example.com' } },
      'target.to',
      expect.stringContaining('email address'),
    ],
    [{ target: { type: 'email', to: 'a@b.org\nBcc: c@d.org' } }, 'target.to', expect.any(String)],
    [
      { target: { type: 'email', to: 'a@b.org' }, format: 'slack' },
      'format',
      'is not allowed with a target "email"',
    ],
    [{ target: { type: 'pigeon' } }, 'target.type', expect.any(String)],
    [{ comment: 1 }, 'comment', 'is not a known field'],
  ])('is rejected with %j', async (more, path, message) => {
    const { status, body: problem } = await put(new ApiWorld(), more);
    expect({ status, errors: problem.errors }).toEqual({ status: 400, errors: [{ path, message }] });
  });

  it('has a secret as its URL only if that exists, and is named as its user', async () => {
    const world = new ApiWorld();
    const ofSecret = { target: { type: 'http', url: '{{ secrets.slack }}' } };
    expect((await put(world, ofSecret)).body.errors).toEqual([
      { path: 'target.url', message: 'there is no secret "slack" in the project' },
    ]);
    const secret = { value: 'https://hooks.slack.com/services/T0/B0/x', hosts: ['hooks.slack.com'] };
    const made = await world.call('PUT /v1/secrets/{name}', { name: 'slack' }, secret, { scope });
    expect(made.status).toBe(201);
    expect((await put(world, ofSecret)).status).toBe(201);
    const removed = await world.call('DELETE /v1/secrets/{name}', { name: 'slack' }, undefined, { scope });
    expect(removed).toMatchObject({ status: 409, body: { detail: expect.stringContaining('~n-ops') } });
  });

  it('is bounded in number', async () => {
    const world = new ApiWorld();
    for (let count = 0; count < 50; count++) expect((await put(world, {}, `n${count}`)).status).toBe(201);
    expect((await put(world, {}, 'n50')).status).toBe(409);
    expect((await put(world, {}, 'n49')).status).toBe(200);
  });

  it('sends a test message, whose execution can be read', async () => {
    const world = new ApiWorld();
    await put(world);
    const test = await world.call('POST /v1/notifications/{id}/test', { id: 'ops' }, undefined, { scope });
    expect(test).toMatchObject({ status: 202, body: { jobId: '~n-ops', execId: expect.any(String) } });
    const read = await world.call('GET /v1/jobs/{jobId}/executions/{execId}', test.body, undefined, {
      scope,
    });
    expect(read).toMatchObject({ status: 200, body: { status: 'queued', by: { via: 'system' } } });
    const none = await world.call('POST /v1/notifications/{id}/test', { id: 'no' }, undefined, { scope });
    expect(none.status).toBe(404);
  });
});

describe('a notification by email', () => {
  const ADDRESS = 'ops@example.com';
  /** As SNS has them: one subscription an address. Its owner confirms at once, unless told otherwise. */
  class Emails implements EmailSubscriptions {
    readonly asked: string[] = [];
    readonly held = new Map<string, { project: string; isConfirmed: boolean }>();
    confirms = true;

    async subscribe(project: string, to: string) {
      this.asked.push(`${project} ${to}`);
      const held = this.held.get(to) ?? { project, isConfirmed: this.confirms };
      this.held.set(to, held);
      return held.project === project ? ('subscribed' as const) : ('taken' as const);
    }

    async projectOf(to: string) {
      const held = this.held.get(to);
      return held?.isConfirmed ? held.project : undefined;
    }

    async unsubscribe(project: string, to: string) {
      if ((await this.projectOf(to)) === project) this.held.delete(to);
    }
  }

  let emails: Emails;
  let world: ApiWorld;
  beforeEach(() => {
    emails = new Emails();
    world = new ApiWorld({ emails });
  });
  const mail = (to = ADDRESS) => ({ target: { type: 'email', to } });
  const bob = { user: 'bob' };

  it('subscribes its address for its project, and shows whether that is confirmed', async () => {
    emails.confirms = false;
    expect(await put(world, mail())).toMatchObject({ status: 201, body: { ...mail(), confirmed: false } });
    expect(emails.asked).toEqual([`alice ${ADDRESS}`]);
    emails.held.set(ADDRESS, { project: 'alice', isConfirmed: true });
    expect((await call(world, 'GET', 'ops')).body.confirmed).toBe(true);
  });

  it('is not confirmed by what another project has', async () => {
    await put(world, mail());
    emails.held.set(ADDRESS, { project: 'bob', isConfirmed: true });
    expect((await call(world, 'GET', 'ops')).body.confirmed).toBe(false);
    await call(world, 'DELETE', 'ops');
    expect(await emails.projectOf(ADDRESS)).toBe('bob');
  });

  it('asks an address once, however often it is saved', async () => {
    for (let count = 0; count < 25; count++)
      expect((await put(world, mail(), count % 2 ? 'a' : 'b')).status).toBeLessThan(300);
    expect(emails.asked).toHaveLength(1);
  });

  it('asks 20 new addresses a day, and says so', async () => {
    for (let count = 0; count < 20; count++)
      expect((await put(world, mail(`x${count}@example.org`))).status).toBeLessThan(300);
    const midnightMs = Date.parse('2026-12-02T00:00:00Z');
    const leftSec = (midnightMs - world.clock.nowMs()) / 1_000;
    const refused = await put(world, mail('x20@example.org'));
    expect(refused).toMatchObject({
      status: 429,
      body: { detail: expect.stringContaining('20 new email addresses a day') },
    });
    expect(Number(refused.headers['retry-after'])).toBe(leftSec);
    expect(emails.asked).toHaveLength(20);
    expect((await put(world, mail('x19@example.org'))).status).toBe(200);
    expect((await put(world, mail(), 'ops', bob)).status).toBe(201);
    await world.clock.advance(16 * 3_600_000);
    expect((await put(world, mail('x20@example.org'))).status).toBe(200);
  });

  it('asks no more than that if requests come together', async () => {
    const all = Array.from({ length: 40 }, (_, n) => put(world, mail(`x${n}@example.org`), `n${n % 3}`));
    const statuses = (await Promise.all(all)).map(({ status }) => status);
    expect(emails.asked).toHaveLength(20);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
  });

  it('ends the subscription when it is deleted, if no other one of the project names the address', async () => {
    await put(world, mail(), 'a');
    await put(world, mail(), 'b');
    await call(world, 'DELETE', 'a');
    expect(await emails.projectOf(ADDRESS)).toBe('alice');
    await call(world, 'DELETE', 'b');
    expect(emails.held.size).toBe(0);
    expect((await put(world, mail(), 'ops', bob)).body.confirmed).toBe(true);
  });

  it('ends that of its last address when it gets another one', async () => {
    await put(world, mail());
    await put(world, mail('new@example.com'));
    expect([...emails.held.keys()]).toEqual(['new@example.com']);
    await put(world);
    expect(emails.held.size).toBe(0);
  });

  it('is rejected if the address gets the messages of another project', async () => {
    await put(world, mail(), 'ops', bob);
    expect((await put(world, mail())).status).toBe(409);
    expect((await call(world, 'GET', 'ops')).status).toBe(404);
    expect(await audit(world)).toEqual(['notification.set ops refused']);
    expect(await emails.projectOf(ADDRESS)).toBe('bob');
  });

  it('is rejected if another project waits for the address to confirm', async () => {
    emails.confirms = false;
    await put(world, mail(), 'ops', bob);
    expect((await put(world, mail())).status).toBe(409);
  });

  it('gets an address that another project no longer names', async () => {
    emails.held.set(ADDRESS, { project: 'bob', isConfirmed: true });
    expect(await put(world, mail())).toMatchObject({ status: 201, body: { confirmed: true } });
    expect(await emails.projectOf(ADDRESS)).toBe('alice');
  });

  it('is one of at most twenty', async () => {
    for (let count = 0; count < 20; count++) await put(world, mail(), `n${count}`);
    expect((await put(world, mail(), 'n20')).status).toBe(409);
  });

  it('is no target of a job', async () => {
    const job = { schedule: { type: 'delay', delay: '1m' }, ...mail() };
    expect((await new ApiWorld().call('POST /v1/jobs', {}, job)).status).toBe(400);
  });
});
