import type { LogPage, LogReceiptView, ClaimView } from '../../../lambdas/core/http/openapi/work';
import type { ApiResponse } from '../../../lambdas/api/request';
import type { Job } from '../../../lambdas/core/domain/job';
import { routeOf } from '../../support/route-of';
import { callerOf } from '../../support/caller';
import { handleRequest } from '../../../lambdas/api/handle-request';
import { T0_MS } from '../../support/factories';
import { newJobAt } from '../../support/new-job';
import { noQuotas } from '../../support/no-quotas';
import { PipelineWorld } from '../../support/pipeline-world';

const SECOND_MS = 1_000;
const DUE_MS = T0_MS + 30_000;
const LIMIT = 524_288;

/** A world with claimed work, and what its worker may do. */
async function claimed() {
  const world = await PipelineWorld.started(1);
  const target = { type: 'worker' as const, queue: 'warehouse', heartbeatTimeout: '60s' };
  const schedule = { type: 'at' as const, at: new Date(DUE_MS).toISOString() };
  const job = await world.create(newJobAt(world, { schedule, target, timeout: '3h' }));
  const claim = async () => {
    const { body } = await world.api('claimWork', {}, { queue: 'warehouse' });
    return (body as ClaimView).work[0]!;
  };
  await world.run(DUE_MS - world.clock.nowMs() + SECOND_MS);
  const work = await claim();
  const say = (chunk: number, lines: object[], { token } = work): Promise<ApiResponse> =>
    world.api('appendLog', {}, { chunk, lines }, { authorization: `Bearer ${token}` });
  const read = async (query: Record<string, string> = {}, headers = {}): Promise<ApiResponse> =>
    handleRequest(
      {
        route: routeOf('getExecutionLog'),
        requestId: 'request',
        ...callerOf('alice', 'jobs:read'),
        params: { jobId: job.jobId, execId: work.execId },
        query: new Map(Object.entries(query).map(([name, value]) => [name, [value]])),
        headers,
      },
      world.deps,
    );
  const page = async (query?: Record<string, string>): Promise<LogPage> =>
    (await read(query)).body as LogPage;
  const end = (outcome: 'completeAttempt' | 'failAttempt') =>
    world.api(outcome, {}, {}, { authorization: `Bearer ${work.token}` });
  return { world, work, claim, say, read, page, end };
}

const text = (line: string) => ({ text: line });
const textsOf = ({ items }: LogPage): string[] => items.map((item) => item.text);

test('lines come back in the order of their chunks, and a cursor goes on while the attempt works', async () => {
  const { world, say, page, end } = await claimed();
  expect(await page()).toEqual({ items: [], nextCursor: expect.any(String) as string });
  await say(1, [text('third')]);
  await say(0, [
    text('first'),
    { text: '\u001b[31mred\u0000', stream: 'stderr', at: '2026-12-01T08:30:31Z' },
  ]);
  const first = await page({ limit: '1' });
  expect(textsOf(first)).toEqual(['first']);
  const rest = await page({ limit: '1000', after: first.nextCursor! });
  expect(rest.items).toMatchObject([
    { stream: 'stderr', text: '\u001b[31mred\u0000', at: '2026-12-01T08:30:31.000Z', attempt: 1 },
    { stream: 'stdout', text: 'third' },
  ]);
  await say(2, [text('last')]);
  await end('completeAttempt');
  const last = await page({ after: rest.nextCursor! });
  expect(textsOf(last)).toEqual(['last']);
  await world.run(62 * SECOND_MS);
  expect(await page({ after: last.nextCursor! })).toEqual({ items: [], nextCursor: null });
});

test('a page that ends within the twelfth chunk goes on there', async () => {
  const { say, page } = await claimed();
  for (let chunk = 0; chunk < 14; chunk++) await say(chunk, [text(`${chunk}a`), text(`${chunk}b`)]);
  const first = await page({ limit: '25' });
  expect(textsOf(first).at(-1)).toBe('12a');
  expect(textsOf(await page({ after: first.nextCursor! }))).toEqual(['12b', '13a', '13b']);
});

test('a repeated chunk changes nothing, and other lines under its number are a conflict', async () => {
  const { say, page } = await claimed();
  expect((await say(0, [text('once')])).body).toEqual({ bytes: 4, truncated: false });
  expect((await say(0, [text('once')])).body).toEqual({ bytes: 4, truncated: false });
  expect((await say(0, [text('twice')])).status).toBe(409);
  expect(textsOf(await page())).toEqual(['once']);
});

test('attempts are never mixed: each has its own lines', async () => {
  const { world, claim, say, page, end } = await claimed();
  await say(0, [text('of the first')]);
  await end('failAttempt');
  await world.run(60 * SECOND_MS);
  const second = await claim();
  expect((await say(0, [text('of the second')], second)).status).toBe(200);
  expect(textsOf(await page())).toEqual(['of the first', 'of the second']);
  expect(textsOf(await page({ attempt: '2' }))).toEqual(['of the second']);
});

test('chunks are taken for a minute after the lease, and no longer', async () => {
  const { world, say, end } = await claimed();
  await end('completeAttempt');
  await world.run(50 * SECOND_MS);
  expect((await say(0, [text('late')])).status).toBe(200);
  await world.run(20 * SECOND_MS);
  expect((await say(1, [text('too late')])).status).toBe(409);
});

test('a full log says so once, and keeps what fits', async () => {
  const { say, page } = await claimed();
  const block = 'x'.repeat(65_536);
  for (let chunk = 0; chunk < 8; chunk++) await say(chunk, [text(block)]);
  const full = (await say(8, [text('too much')])).body as LogReceiptView;
  expect(full).toEqual({ bytes: LIMIT, truncated: true });
  await say(9, [text('and more')]);
  const { items } = await page({ limit: '1000' });
  expect(items.slice(8)).toMatchObject([
    { stream: 'system', text: expect.stringMatching(/^truncated/) as string },
  ]);
});

test('a log of 5 MB is kept as a whole, where the deployment allows it', async () => {
  jest.replaceProperty(noQuotas.quotaLimits, 'logBytesPerAttempt', 5_242_880);
  const { say, page } = await claimed();
  for (let chunk = 0; chunk < 80; chunk++) await say(chunk, [text(`${chunk} `.padEnd(65_536, 'x'))]);
  expect((await say(80, [text('too much')])).body).toEqual({ bytes: 5_242_880, truncated: true });
  const lines: string[] = [];
  for (let after: string | undefined; lines.length <= 80;) {
    const { items, nextCursor } = await page({ limit: '1000', ...(after && { after }) });
    lines.push(...items.map((item) => item.text));
    after = nextCursor!;
  }
  expect(lines.slice(0, 80).map((line) => parseInt(line, 10))).toEqual([...Array(80).keys()]);
  expect(lines[80]).toMatch(/^truncated/);
});

test('a chunk of more than 64 kB is too large', async () => {
  const { say } = await claimed();
  expect((await say(0, [text('x'.repeat(40_000)), text('x'.repeat(30_000))])).status).toBe(413);
});

test('a download is the text alone', async () => {
  const { say, read } = await claimed();
  await say(0, [text('one'), text('two')]);
  const { headers, body } = await read({}, { accept: 'text/plain' });
  expect(body).toBe('one\ntwo\n');
  expect(headers).toMatchObject({ 'content-type': 'text/plain; charset=utf-8' });
  expect(headers).toHaveProperty('quarterjack-next-cursor');
});

describe('the response of an HTTP target', () => {
  const rest = { text: 'line 2\nline 3', isCut: true };
  const failure = { outcome: 'retriable', statusCode: 503, body: 'line 1', beyondBody: rest } as const;
  const SAID = [
    'the rest of the response, status 503:',
    'line 2',
    'line 3',
    'the response goes on: 4096 bytes of its rest are kept',
  ];

  /** The log of a job after its execution has ended, and of what its attempts were. */
  async function logOf(behaviour: PipelineWorld['behaviour'], overrides: Partial<Job> = {}) {
    const world = await PipelineWorld.started(1);
    world.behaviour = behaviour;
    const schedule = { type: 'at' as const, at: new Date(DUE_MS).toISOString() };
    const job = await world.create(newJobAt(world, { schedule, ...overrides }));
    await world.run(5 * 60 * SECOND_MS);
    const [execution] = world.executions(job);
    const request = {
      route: routeOf('getExecutionLog'),
      requestId: 'request',
      ...callerOf('alice', 'jobs:read'),
      params: { jobId: job.jobId, execId: execution!.execId },
      query: new Map(),
      headers: {},
    };
    const { body } = await handleRequest(request, world.deps);
    return { execution: execution!, items: (body as LogPage).items, world };
  }

  test('goes on in the log if the execution has failed, and not for an attempt that is retried', async () => {
    const retry = { ...newJobAt(new PipelineWorld(1), {}).retry, maxAttempts: 2 };
    const { execution, items } = await logOf(() => failure, { retry });
    expect(execution).toMatchObject({ status: 'failed', attempts: [{ attempt: 1 }, { attempt: 2 }] });
    expect(items.map(({ attempt, text }) => [attempt, text])).toEqual(SAID.map((line) => [2, line]));
    expect(items.map(({ stream }) => stream)).toEqual(['system', 'stdout', 'stdout', 'system']);
  });

  test('of an attempt before a success leaves no log', async () => {
    const { execution, items } = await logOf(({ attempt }) =>
      attempt === 1 ? failure : { outcome: 'succeeded', statusCode: 200 },
    );
    expect(execution.status).toBe('succeeded');
    expect(items).toEqual([]);
  });

  test('of a success goes there as the target asks for it, and counts in the quota of the day', async () => {
    const { items, world } = await logOf(() => ({
      outcome: 'succeeded',
      statusCode: 200,
      beyondBody: { text: 'kept', isCut: false },
    }));
    expect(items.map(({ text: line }) => line)).toEqual(['the rest of the response, status 200:', 'kept']);
    const day = new Date(DUE_MS).toISOString().slice(0, 10).replaceAll('-', '');
    expect(await world.deps.logs.bytesOfDay('alice', day)).toBe(41);
  });

  test('of several targets: each has a part of its own', async () => {
    const { target: one } = newJobAt(new PipelineWorld(1), {});
    const { items } = await logOf(() => ({ ...failure, outcome: 'fatal' }), { targets: [one!, one!] });
    const titles = items.filter(({ text: line }) => line.startsWith('the rest'));
    expect(titles.map(({ text: line }) => line)).toEqual([
      'the rest of the response of target 0, status 503:',
      'the rest of the response of target 1, status 503:',
    ]);
  });
});
