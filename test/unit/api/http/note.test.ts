import { noteOf } from '../../../../lambdas/api/http/author';
import { ROUTES } from '../../../../lambdas/core/contracts/routes';
import { ApiWorld, paths } from '../world';

const read = (header: string | undefined) => noteOf({ headers: { 'quarterjack-note': header } });
const withNote = (note: string, identity = {}) => ({
  headers: { 'Quarterjack-Note': encodeURIComponent(note) },
  identity,
});

describe('Quarterjack-Note', () => {
  it.each([
    [undefined, undefined],
    ['', undefined],
    ['plain words', 'plain words'],
    ['50%25%20%E2%82%AC', '50% €'],
    [encodeURIComponent('😀'.repeat(500)), '😀'.repeat(500)],
    ['a%0Ab', 'a\nb'],
  ])('%j is read as %j', (header, note) => {
    expect(read(header)).toBe(note);
  });

  it.each(['100%', '%E2%82', '%ED%A0%80', 'für', encodeURIComponent('😀'.repeat(501))])(
    'rejects %j by name',
    (header) => {
      expect(() => read(header)).toThrow(/^Quarterjack-Note: must /);
    },
  );

  it.each(ROUTES.filter(({ method }) => method !== 'GET'))(
    'is checked by $method $path',
    async ({ method, path, auth }) => {
      const world = new ApiWorld();
      const headers = { 'Quarterjack-Note': '%' };
      const answered = await world.call(`${method} ${path}`, { jobId: 'a', keyId: 'k' }, {}, { headers });
      expect([auth, answered.status, paths(answered)]).toEqual([auth, 400, ['Quarterjack-Note']]);
    },
  );
});

describe('the actor and the note of a change', () => {
  const bob = { sub: 'bob', name: 'bob@example.com', projects: [{ name: 'alice', role: 'owner' as const }] };
  const ofKey = {
    kind: 'key' as const,
    keyId: 'k'.repeat(16),
    keyName: 'ci',
    scopes: ['jobs:write', 'jobs:read'],
  };

  it('stand on the job with its number, until the next change', async () => {
    const world = new ApiWorld();
    const created = await world.create({ jobId: 'a' }, withNote('first'));
    const alice = { sub: 'alice', name: null, via: 'token' };
    expect(created.body).toMatchObject({ by: alice, note: 'first', changeNumber: 1 });
    await world.patch('a', { name: 'A' }, withNote('für Bob', bob));
    const { body } = await world.get('a');
    const by = { sub: 'bob', name: 'bob@example.com', via: 'token' };
    expect(body).toMatchObject({ by, note: 'für Bob', changeNumber: 2 });
    const paused = (await world.post('a', 'pause', undefined, { identity: ofKey })).body;
    expect(paused).toMatchObject({ by: { sub: 'alice', name: null, via: 'key:ci' }, changeNumber: 3 });
    expect(paused).not.toHaveProperty('note');
    expect((await world.post('a', 'resume', undefined, withNote('go on'))).body).toMatchObject({
      note: 'go on',
      changeNumber: 4,
    });
  });

  it('are not those of a request that changes nothing', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a' }, withNote('first'));
    await world.patch('a', {}, withNote('none', bob));
    await world.post('a', 'resume', undefined, withNote('none', bob));
    expect((await world.get('a')).body).toMatchObject({
      by: { sub: 'alice' },
      note: 'first',
      changeNumber: 1,
    });
  });

  it('stand on a manual run, its cancellation and its retry', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a' });
    const run = (await world.post('a', 'run', {}, withNote('by hand', bob))).body;
    const by = { sub: 'bob', name: 'bob@example.com', via: 'token' };
    expect(run).toMatchObject({ by, detail: { note: 'by hand' } });
    const { execId } = run;
    const alice = { sub: 'alice', name: null, via: 'token' };
    const act = (action: string, options = {}) =>
      world.call(`POST /v1/jobs/{jobId}/executions/{execId}/${action}`, { jobId: 'a', execId }, {}, options);
    const cancelled = (await act('cancel', withNote('not today'))).body;
    expect(cancelled).toMatchObject({ by: alice, detail: { by: alice, note: 'not today' } });
    const shown = await world.call('GET /v1/jobs/{jobId}/executions/{execId}', { jobId: 'a', execId });
    expect(shown.body).toEqual(cancelled);
    const retried = (await act('retry', { identity: bob })).body;
    expect(retried).toMatchObject({ status: 'retrying', by });
    expect(retried).not.toHaveProperty('detail');
  });

  it('stand on a running execution whose cancellation is requested, and on a planned one', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a' });
    const cancel = (execId: string, note: string) =>
      world.call(
        'POST /v1/jobs/{jobId}/executions/{execId}/cancel',
        { jobId: 'a', execId },
        undefined,
        withNote(note),
      );
    await world.claim('a', '20261201T083000.000Z');
    expect((await cancel('20261201T083000.000Z', 'stop')).body).toMatchObject({
      status: 'running',
      by: { sub: 'alice' },
      detail: { note: 'stop' },
    });
    expect((await cancel('20261201T090000.000Z', 'skip it')).body).toMatchObject({
      status: 'cancelled',
      detail: { by: { sub: 'alice' }, note: 'skip it' },
    });
    expect((await world.executions('a')).body.items).toMatchObject([
      { detail: { note: 'skip it' } },
      { detail: { note: 'stop' } },
    ]);
  });

  it('are no part of a definition: a client cannot set them', async () => {
    const answered = await new ApiWorld().create({ by: 'me', note: 'mine', changeNumber: 7 });
    expect(answered.body.errors).toEqual(
      ['by', 'note', 'changeNumber'].map((path) => ({ path, message: 'is read only' })),
    );
  });
});
