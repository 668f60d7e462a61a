import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Session } from '../terminal-session';
import { deployment, EVERY, TARGET } from './deployment';

let session: Session;
beforeEach(() => (session = new Session()));
afterEach(() => session.end());
const { deploy, jobIds, job } = deployment(() => session);

test('adds what is defined, with its owner, and the same again changes nothing', async () => {
  expect((await deploy({ nightly: { ...EVERY, timeout: '2m', tags: { team: 'a' } } })).exitCode).toBe(0);
  expect(await job('nightly')).toMatchObject({
    tags: { team: 'a', 'quarterjack/source': 'shop' },
    target: { type: 'http', url: 'https://app.example.com/jobs', timeout: '2m', observe: true },
  });
  const again = await deploy({ nightly: { ...EVERY, timeout: '2m', tags: { team: 'a' } } });
  expect(again.stdout).toContain('Nothing to do: 1 unchanged.');
});

test('the schema of a manifest is that of the job, and the plan shows what it refuses', async () => {
  const payloadSchema = { type: 'object', required: ['orderId'] };
  const file = join(session.home, 'schemas.manifest.json');
  const manifest = (schedule: object) => ({
    format: 'quarterjack.jobs/1',
    source: 'shop',
    jobs: [{ jobId: 'receipt', definition: { schedule }, payloadSchema, schemaFrom: 'standard-json-schema' }],
  });
  const deployed = (schedule: object) => {
    writeFileSync(file, JSON.stringify(manifest(schedule)));
    return session.run(`deploy ${file} ${TARGET} --yes`);
  };
  expect((await deployed({ type: 'none' })).exitCode).toBe(0);
  expect(await job('receipt')).toMatchObject({ payloadSchema, payloadSchemaUnchecked: [] });
  expect((await deployed({ type: 'none' })).stdout).toContain('Nothing to do: 1 unchanged.');
  const refused = await deployed(EVERY.schedule);
  expect(refused.exitCode).toBe(3);
  expect(refused.stderr).toContain('payload.orderId');
});

test('waiting runs whose payload does not fit a changed schema are counted, and the plan ends with 2', async () => {
  const file = join(session.home, 'schemas.manifest.json');
  const deployed = (properties: object, flags: string) => {
    const payloadSchema = { type: 'object', properties };
    const definition = { schedule: { type: 'none' } };
    const jobs = [{ jobId: 'receipt', definition, payloadSchema, schemaFrom: 'given' }];
    writeFileSync(file, JSON.stringify({ format: 'quarterjack.jobs/1', source: 'shop', jobs }));
    return session.run(`deploy ${file} ${TARGET} ${flags}`);
  };
  await deployed({}, '--yes');
  for (const payload of [{ orderId: 42 }, { orderId: 'A-1' }, {}])
    await session.run(`jobs run receipt --in 30m --payload ${JSON.stringify(payload)}`);
  const stranding = await deployed({ orderId: { type: 'string' } }, '--dry-run');
  expect(stranding.stdout).toContain('1 of 3 waiting runs has a payload that does not fit');
  expect(stranding.exitCode).toBe(2);
  const fitting = await deployed({ orderId: { type: ['string', 'number'] } }, '--dry-run');
  expect(fitting.stdout).not.toContain('waiting');
  expect(fitting.exitCode).toBe(0);
});

test('a queue and a function are called in place of a URL', async () => {
  await deploy({ nightly: EVERY }, '--queue reports --yes');
  expect(await job('nightly')).toMatchObject({ target: { type: 'worker', queue: 'reports' } });
  const arn = 'arn:aws:lambda:eu-central-1:111122223333:function:jobs';
  const { stdout, stderr } = await deploy({ nightly: EVERY }, `--lambda ${arn} --dry-run`);
  expect(stdout + stderr).toContain(arn);
});

test('a paused job is added paused, and a change without the word leaves it so', async () => {
  await deploy({ nightly: { ...EVERY, paused: true } });
  await deploy({ nightly: { ...EVERY, priority: 'high' } });
  expect(await job('nightly')).toMatchObject({ status: 'paused', priority: 'high' });
});

test('a prefix stands before each id, and in what waits for another job', async () => {
  const next = { schedule: { type: 'after', jobs: ['nightly'] } };
  expect((await deploy({ nightly: EVERY, next }, `${TARGET} --prefix staging- --yes`)).exitCode).toBe(0);
  expect(await jobIds()).toEqual(['staging-next', 'staging-nightly']);
  expect(await job('staging-next')).toMatchObject({ schedule: { jobs: ['staging-nightly'] } });
});

describe('what is no longer defined', () => {
  test('stays without --prune, and goes with it', async () => {
    await deploy({ a: EVERY, b: EVERY });
    await deploy({ a: EVERY });
    expect(await jobIds()).toEqual(['a', 'b']);
    await deploy({ a: EVERY }, `${TARGET} --prune --yes`);
    expect(await jobIds()).toEqual(['a']);
  });

  test('is never a job of another source, of another prefix, or of none', async () => {
    await session.run("jobs create own --schedule 'every 1h' --http https://example.com");
    await deploy({ other: EVERY }, `${TARGET} --yes`, 'billing');
    await deploy({ a: EVERY }, `${TARGET} --prefix staging- --yes`);
    expect((await deploy({ b: EVERY }, `${TARGET} --prune --yes`)).exitCode).toBe(0);
    expect(await jobIds()).toEqual(['b', 'other', 'own', 'staging-a']);
  });

  test.each([
    ['all of one', { a: EVERY }, {}, 1],
    [
      'four of six',
      { a: EVERY, b: EVERY, c: EVERY, d: EVERY, e: EVERY, f: EVERY },
      { a: EVERY, b: EVERY },
      4,
    ],
  ])('is not removed without a word: %s', async (_, before, after, count) => {
    await deploy(before);
    const refused = await deploy(after, `${TARGET} --prune --yes`);
    expect([refused.exitCode, refused.stderr]).toEqual([
      3,
      expect.stringContaining(`--allow-removals ${count}`),
    ]);
    expect(await jobIds()).toHaveLength(Object.keys(before).length);
    expect((await deploy(after, `${TARGET} --prune --allow-removals ${count} --yes`)).exitCode).toBe(0);
    expect(await jobIds()).toHaveLength(Object.keys(after).length);
  });

  test('is not removed if it has changed since the plan', async () => {
    await deploy({ a: EVERY, b: EVERY });
    let isChanged = false;
    session.beforeRequest = (_count, request) => {
      if (request !== 'DELETE /v1/jobs/b' || isChanged) return;
      isChanged = true;
      session.instead.push(
        Response.json(
          { type: 'about:blank', title: 'Changed', status: 412, detail: 'the job has changed' },
          { status: 412 },
        ),
      );
    };
    const { exitCode } = await deploy({ a: EVERY }, `${TARGET} --prune --yes`);
    expect([exitCode, await jobIds()]).toEqual([6, ['a', 'b']]);
  });
});

test('waiting runs of a job that goes are counted in the plan', async () => {
  await deploy({ a: EVERY, b: { schedule: { type: 'none' } } });
  for (const key of ['k1', 'k2']) await session.run(`jobs run b --in 30m --key ${key}`);
  const plan = await deploy({ a: EVERY }, `${TARGET} --prune --dry-run`);
  expect(plan.stdout).toContain('- b\n    2 waiting runs will not run\n');
  const asJson = await deploy({ a: EVERY }, `${TARGET} --prune --dry-run --json`);
  expect(JSON.parse(asJson.stdout)).toMatchObject({ removed: [{ jobId: 'b', waiting: 2 }] });
});

test('of a job that goes, the plan reads the newest executions, and not a long history', async () => {
  await deploy({ a: EVERY, b: { schedule: { type: 'none' } } });
  await session.run('jobs run b --in 30m');
  const { stdout } = await session.run('executions list b --json');
  const [waiting] = JSON.parse(stdout) as object[];
  const ended = { ...waiting, status: 'succeeded' };
  let pages = 0;
  session.beforeRequest = (_count, request) => {
    if (request !== 'GET /v1/jobs/b/executions') return;
    pages += 1;
    const items = [waiting, ...Array.from({ length: 99 }, () => ended)];
    session.instead.push(Response.json({ items, nextCursor: pages < 50 ? 'more' : null }));
  };
  const plan = await deploy({ a: EVERY }, `${TARGET} --prune --dry-run`);
  expect(plan.stdout).toContain('- b\n    5 waiting runs will not run\n');
  expect(pages).toBe(5);
});

describe('a job of another owner', () => {
  test('is not changed, and both are named', async () => {
    await deploy({ a: EVERY }, `${TARGET} --yes`, 'billing');
    const before = await job('a');
    const { exitCode, stderr } = await deploy(
      { a: { ...EVERY, priority: 'high' } },
      `${TARGET} --adopt --yes`,
    );
    expect([exitCode, stderr]).toEqual([
      6,
      expect.stringContaining('a is a job of billing, and not of shop'),
    ]);
    expect(await job('a')).toEqual(before);
  });

  test('is adopted on request, if it has none', async () => {
    await session.run("jobs create a --schedule 'every 1h' --http https://example.com");
    const { exitCode, stderr } = await deploy({ a: EVERY });
    expect([exitCode, stderr]).toEqual([6, expect.stringContaining('a has no source; --adopt makes it')]);
    expect((await deploy({ a: EVERY }, `${TARGET} --adopt --yes`)).exitCode).toBe(0);
    expect(await job('a')).toMatchObject({ tags: { 'quarterjack/source': 'shop' } });
  });

  describe('that a stack keeps under the same source', () => {
    const tags = { 'quarterjack/source': 'shop', 'quarterjack/resource': 'Shop/Jobs' };
    const kept = `--tag quarterjack/source:shop --tag quarterjack/resource:Shop/Jobs`;
    beforeEach(async () => {
      await session.run(`jobs create a --schedule 'every 1h' --http https://example.com ${kept}`);
      expect(await job('a')).toMatchObject({ tags });
    });

    test('stays one of the stack', async () => {
      const before = await job('a');
      const { exitCode, stderr } = await deploy({ a: EVERY, b: EVERY });
      expect([exitCode, stderr]).toEqual([
        6,
        expect.stringContaining('a is a job of the stack Shop; --adopt'),
      ]);
      expect([await job('a'), await jobIds()]).toEqual([before, ['a']]);
    });

    test('is not removed, not even with --adopt', async () => {
      const { exitCode, stderr } = await deploy({ b: EVERY }, `${TARGET} --prune --adopt --yes`);
      expect([exitCode, stderr]).toEqual([
        6,
        expect.stringContaining('a is a job of the stack Shop, which alone removes it'),
      ]);
      expect(await jobIds()).toEqual(['a']);
    });

    test('leaves the stack on request', async () => {
      expect((await deploy({ a: EVERY }, `${TARGET} --adopt --yes`)).exitCode).toBe(0);
      expect((await job('a')).tags).toEqual({ 'quarterjack/source': 'shop' });
    });
  });
});

test('a dry run changes nothing, and its exit code tells whether it would', async () => {
  const flags = `${TARGET} --dry-run --detailed-exitcode`;
  expect((await deploy({ a: EVERY }, flags)).exitCode).toBe(2);
  expect(await jobIds()).toEqual([]);
  await deploy({ a: EVERY });
  expect((await deploy({ a: EVERY }, flags)).exitCode).toBe(0);
});

test.each([
  ['no place', { a: EVERY }, '--yes', 'say where the program runs'],
  ['two places', { a: EVERY }, `${TARGET} --queue q --yes`, 'say where the program runs'],
  [
    'a call that is too long',
    { a: { ...EVERY, timeout: '20m' } },
    `${TARGET} --yes`,
    'longer work needs a worker',
  ],
])('%s is wrong usage', async (_, jobs, flags, message) => {
  const { exitCode, stderr } = await deploy(jobs, flags);
  expect([exitCode, stderr]).toEqual([3, expect.stringContaining(message)]);
});

test('a manifest without a source needs one', async () => {
  const { exitCode, stderr } = await deploy({ a: EVERY }, `${TARGET} --yes`, null);
  expect([exitCode, stderr]).toEqual([3, expect.stringContaining('Say --source NAME')]);
  expect((await deploy({ a: EVERY }, `${TARGET} --source shop --yes`, null)).exitCode).toBe(0);
});

test.each([
  ['{', 'is no manifest of jobs'],
  ['{"format":"quarterjack.jobs/2","jobs":[]}', 'format must be quarterjack.jobs/1'],
  ['{"format":"quarterjack.jobs/1","jobs":{}}', 'jobs must be a list'],
  ['{"format":"quarterjack.jobs/1","jobs":[{"jobId":"a"}]}', 'jobs.0 must have jobId and definition'],
  [
    '{"format":"quarterjack.jobs/1","jobs":[{"jobId":"a","definition":{}},{"jobId":"a","definition":{}}]}',
    'two jobs have the id a',
  ],
  [
    '{"format":"quarterjack.jobs/1","jobs":[{"jobId":"a","definition":{"tags":{"quarterjack/resource":"S/J"}}}]}',
    'jobs.0 has the tag quarterjack/resource: those that begin so are set by deploying',
  ],
])('%s is no manifest', async (text, message) => {
  const file = join(session.home, 'other.json');
  writeFileSync(file, text);
  const { exitCode, stderr } = await session.run(`deploy ${file} ${TARGET} --source shop --yes`);
  expect([exitCode, stderr]).toEqual([3, expect.stringContaining(message)]);
});
