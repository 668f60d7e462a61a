import { setTimeout as wait } from 'node:timers/promises';

import { connectJobs, defineJob, type JobContext, serve } from '../../../../client/jobs-in-code';
import { CALL_SECRET, signedCall } from '../../../support/signed-call';
import { json, problem } from '../fake-api';

interface Asked {
  path: string;
  token: string | null;
  body: { progress?: number; text?: string; lines?: { text: string; stream: string }[] };
}

const CALLBACK = 'https://api.test/v1/attempts';
const REPORTING = { 'quarterjack-callback': CALLBACK, 'quarterjack-token': 'b2JzZXJ2ZXI' };
const CUSTOM = {
  'quarterjack-project': 'billing',
  'quarterjack-job': 'report',
  'quarterjack-execution': '20261201T083000.000Z',
  'quarterjack-attempt': '2',
  'quarterjack-fence': '3',
  'quarterjack-due': '2026-12-01T08:30:00.000Z',
};
const GOING = { status: 'running', cancelRequested: false };
const KEPT = { bytes: 1, truncated: false };

let asked: Asked[];
let answers: Record<string, () => Response>;
let work: (context: JobContext) => unknown;
const report = defineJob({ id: 'report', run: (context) => work(context) });
const warned: string[] = [];

beforeEach(() => {
  asked = [];
  answers = { heartbeat: () => json(200, GOING), log: () => json(200, KEPT) };
  work = () => undefined;
  warned.length = 0;
  jest.spyOn(console, 'warn').mockImplementation((text: string) => void warned.push(text));
  jest.spyOn(console, 'info').mockImplementation();
  connectJobs({ url: 'https://api.test', surroundings: { fetch: answer } });
});
afterEach(() => jest.useRealTimers());

async function answer(request: Request): Promise<Response> {
  const { pathname: path } = new URL(request.url);
  const body = (await request.json()) as Asked['body'];
  asked.push({ path, token: request.headers.get('authorization'), body });
  return answers[path.split('/').at(-1)!]!();
}

const invoke = (reporting: object = REPORTING, options: object = {}) =>
  serve([report], options).lambda({}, { clientContext: { custom: { ...CUSTOM, ...reporting } } });

const texts = () => asked.flatMap(({ body }) => body.lines ?? []).map(({ text, stream }) => [stream, text]);
const progress = () => asked.filter(({ body }) => body.progress !== undefined).map(({ body }) => body);

test('lines and progress are with the API before the response', async () => {
  work = ({ log, progress: say }) => {
    log.info('begun');
    log.error('a row is broken');
    say(0.4, 'page 4 of 10');
    return 'done';
  };
  expect(await invoke()).toBe('done');
  expect(texts()).toEqual([
    ['stdout', 'begun'],
    ['stderr', 'a row is broken'],
  ]);
  expect(progress()).toEqual([{ progress: 0.4, text: 'page 4 of 10' }]);
  expect(new Set(asked.map(({ token }) => token))).toEqual(new Set(['Bearer b2JzZXJ2ZXI']));
  expect(asked.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['/v1/attempts/heartbeat', '/v1/attempts/log']),
  );
});

test('a short job that says nothing asks for nothing', async () => {
  expect(await invoke()).toBeUndefined();
  expect(asked).toEqual([]);
});

test('a job that fails has said how far it was', async () => {
  work = ({ progress: say }) => {
    say(0.9);
    throw new Error('the last page is missing');
  };
  await expect(invoke()).rejects.toThrow('the last page is missing');
  expect(progress()).toEqual([{ progress: 0.9 }]);
});

test('the signal aborts when the execution is cancelled', async () => {
  jest.useFakeTimers();
  answers.heartbeat = () => json(200, { status: 'running', cancelRequested: true });
  work = ({ signal }) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
  const failed = invoke().catch((error: unknown) => error);
  await jest.advanceTimersByTimeAsync(6_000);
  expect(await failed).toMatchObject({ name: 'StoppedError', reason: 'cancelled' });
  expect(asked.map(({ body }) => body)).toEqual([{}]);
});

test('the signal aborts when another attempt has taken its place', async () => {
  jest.useFakeTimers();
  answers.heartbeat = () => problem(409);
  work = ({ signal }) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
  const failed = invoke().catch((error: unknown) => error);
  await jest.advanceTimersByTimeAsync(6_000);
  expect(await failed).toMatchObject({ name: 'StoppedError', reason: 'lost' });
});

test('an API that does not answer stops nothing', async () => {
  jest.useFakeTimers();
  answers.heartbeat = () => problem(503);
  work = async ({ signal }) => {
    await new Promise((resolve) => setTimeout(resolve, 120_000));
    return signal.aborted;
  };
  const ended = invoke();
  await jest.advanceTimersByTimeAsync(130_000);
  expect(await ended).toBe(false);
  expect(asked.length).toBeGreaterThan(10);
});

test('progress in a loop is sent every five seconds, and its last value at the end', async () => {
  jest.useFakeTimers();
  work = async ({ progress: say }) => {
    for (let page = 1; page <= 110; page++) {
      say(page / 110);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  const ended = invoke();
  await jest.advanceTimersByTimeAsync(12_000);
  await ended;
  expect(progress().length).toBeLessThanOrEqual(5);
  expect(progress().at(-1)).toEqual({ progress: 1 });
});

test.each([
  ['another origin', 'https://evil.test/v1/attempts'],
  ['no URL', 'evil'],
])('a function sends nothing to a callback of %s', async (_, callback) => {
  work = ({ log, progress: say }) => {
    log.info('a secret');
    say(0.5);
  };
  await invoke({ ...REPORTING, 'quarterjack-callback': callback });
  expect(asked).toEqual([]);
  expect(warned).toEqual([expect.stringContaining('this attempt is not observed')]);
});

test('an API with a second address is named by origin', async () => {
  work = ({ log }) => log.info('line');
  const elsewhere = { ...REPORTING, 'quarterjack-callback': 'https://second.test/v1/attempts' };
  await invoke(elsewhere, { origin: ['https://api.test', 'https://second.test'] });
  expect(asked).toHaveLength(1);
});

test('without observe, lines go to the console and the progress nowhere', async () => {
  work = ({ log, progress: say }) => {
    log.warn('line');
    say(0.5);
  };
  await invoke({});
  expect(asked).toEqual([]);
  expect(warned).toEqual(['line']);
});

test('a progress that is none is an error of the job', async () => {
  work = ({ progress: say }) => say(1.5);
  await expect(invoke()).rejects.toThrow('value is a number; expected a number from 0 to 1');
  await expect(invoke({})).rejects.toThrow('value is a number; expected a number from 0 to 1');
});

test('a text is made one that the API takes', async () => {
  work = ({ progress: say }) => say(0.5, `a\nb${'\u{1f552}'.repeat(100)}`);
  await invoke();
  const [{ text = '' } = {}] = progress();
  expect(text.startsWith('a b\u{1f552}')).toBe(true);
  expect(text.length).toBe(199);
  expect(Buffer.from(text).toString()).toBe(text);
});

test('a delivery over HTTP is observed by what its signature covers', async () => {
  work = async ({ log, progress: say, signal }) => {
    log.info('begun');
    say(0.5);
    await wait(1);
    return signal.aborted;
  };
  const headers = signedCall('{}', REPORTING);
  const request = new Request('https://app.test/jobs', { method: 'POST', body: '{}', headers });
  const response = await serve([report], { secret: CALL_SECRET }).fetch(request);
  expect([response.status, await response.json()]).toEqual([200, false]);
  expect(texts()).toEqual([['stdout', 'begun']]);
  expect(progress()).toEqual([{ progress: 0.5 }]);
});
