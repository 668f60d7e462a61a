import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Session } from '../terminal-session';
import { deployment, EVERY, TARGET } from './deployment';

let session: Session;
beforeEach(() => (session = new Session()));
afterEach(() => session.end());
const { deploy, jobIds, job } = deployment(() => session);

describe('an older commit after a newer one', () => {
  const revisions = async () => {
    const views = await Promise.all((await jobIds()).map(job));
    return Object.fromEntries(
      views.map(({ jobId, tags }) => [jobId, (tags as Record<string, string>)['quarterjack/revision']]),
    ) as Record<string, string | undefined>;
  };
  const withRevision = (jobs: Record<string, object>, revision: number | string, more = '') =>
    deploy(jobs, `${TARGET} --revision ${revision} --yes ${more}`);

  test('is refused, and changes nothing; the same one and later ones are not', async () => {
    expect((await withRevision({ a: EVERY, b: EVERY }, 41)).exitCode).toBe(0);
    expect(await revisions()).toEqual({ a: '41', b: undefined });
    const newer = { a: EVERY, b: { ...EVERY, priority: 'high' } };
    expect((await withRevision(newer, 42)).exitCode).toBe(0);
    expect((await withRevision(newer, 42)).stdout).toContain('Nothing to do: 2 unchanged.');
    const { exitCode, stderr } = await withRevision({ a: EVERY, b: EVERY }, 41);
    expect([exitCode, stderr]).toEqual([
      6,
      expect.stringContaining('the revision is 41, and revision 42 of shop is deployed already'),
    ]);
    expect(await job('b')).toMatchObject({ priority: 'high' });
    expect((await withRevision({ a: EVERY, b: EVERY }, 43)).exitCode).toBe(0);
  });

  test('is refused also if the newer one came while it read the jobs', async () => {
    await withRevision({ a: { ...EVERY, priority: 'high' } }, 42);
    let isRead = false;
    session.beforeRequest = (_count, request) => {
      if (request !== 'GET /v1/jobs' || isRead) return;
      isRead = true;
      session.instead.push(Response.json({ items: [], nextCursor: null }));
    };
    const { exitCode } = await withRevision({ a: EVERY }, 41);
    expect([isRead, exitCode]).toEqual([true, 6]);
    expect(await job('a')).toMatchObject({ priority: 'high' });
  });

  test('is known also if the newer one has changed no job, or has removed the one that said so', async () => {
    await withRevision({ a: EVERY, b: EVERY }, 5);
    await withRevision({ a: EVERY, b: EVERY }, 7);
    expect((await withRevision({ a: EVERY }, 6)).exitCode).toBe(6);
    await withRevision({ b: EVERY }, 8, '--prune');
    expect(await revisions()).toEqual({ b: '8' });
    expect((await withRevision({ b: EVERY }, 7)).exitCode).toBe(6);
  });

  test('is not what a deployment without a number is: the last number stays', async () => {
    await withRevision({ a: EVERY }, 9);
    expect((await deploy({ a: { ...EVERY, priority: 'low' }, b: EVERY })).exitCode).toBe(0);
    expect(await revisions()).toEqual({ a: '9', b: undefined });
    expect((await withRevision({ a: EVERY }, 8)).exitCode).toBe(6);
  });

  test('is of one source and one prefix', async () => {
    await withRevision({ a: EVERY }, 9);
    expect((await deploy({ z: EVERY }, `${TARGET} --revision 1 --yes`, 'billing')).exitCode).toBe(0);
    expect((await withRevision({ a: EVERY }, 1, '--prefix staging-')).exitCode).toBe(0);
  });

  test('may say its number in its manifest', async () => {
    const file = join(session.home, 'numbered.json');
    const deployed = (revision: unknown) => {
      const jobs = [{ jobId: 'a', definition: EVERY }];
      writeFileSync(file, JSON.stringify({ format: 'quarterjack.jobs/1', source: 'shop', revision, jobs }));
      return session.run(`deploy ${file} ${TARGET} --yes`);
    };
    expect((await deployed(3)).exitCode).toBe(0);
    expect((await deployed(2)).exitCode).toBe(6);
    expect((await deployed('4')).stderr).toContain('revision must be a whole number from 0 on');
  });

  test.each(['-1', 'x', '1.5', '9007199254740993'])('%s is no number', async (revision) => {
    const { exitCode, stderr } = await withRevision({ a: EVERY }, revision);
    expect([exitCode, stderr]).toEqual([3, expect.stringContaining('--revision is')]);
  });
});

test.each<[string, object | null, object, string[]]>([
  ['has no version', null, {}, ['observe']],
  ['has no schemas', { features: ['observe'] }, { payloadSchema: {} }, ['payloadSchema']],
  ['has neither', { features: [] }, { payloadSchema: {} }, ['observe', 'payloadSchema']],
])(
  'a server that is older than the command line and %s: the error says so',
  async (_, version, more, lacks) => {
    session.instead.push(
      version === null
        ? new Response('{"message":"Not Found"}', { status: 404 })
        : Response.json({ version: '0.1.0', api: 'v1', ...version }),
    );
    const { exitCode, stderr } = await deploy({ a: { schedule: { type: 'none' }, ...more } });
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringContaining(
        `the server is older than this command line: it has no ${lacks.join(' and no ')}. Update the server`,
      ),
    ]);
    expect(await jobIds()).toEqual([]);
  },
);
