import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

import { callerOf } from '../../../lambdas/core/delivery/call/call-target';
import type { AwsTarget } from '../../../lambdas/core/domain/target';
import type { TargetResult } from '../../../lambdas/core/domain/target-result';
import { systemClock } from '../../../lambdas/core/clock/system-clock';
import { callWithin } from '../../../lambdas/executor/call-within';
import { noSecrets } from '../../support/surroundings';
import { AWS_POLICY } from '../../support/aws-policy';
import { aJob, anExecution } from '../../support/factories';
import { endlessly, every } from '../../support/hostile-sockets';
import { RecordingLog } from '../../support/recording-log';

/** What the endpoint of every service writes to the bare socket of each request. */
let answer: (socket: Socket) => void;
let server: Server;
const sockets = new Set<Socket>();
const environment = { ...process.env };

beforeAll(async () => {
  server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined); // the caller hangs up
    socket.once('data', () => answer(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  process.env.AWS_ENDPOINT_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  process.env.AWS_ACCESS_KEY_ID = 'AKIDEXAMPLE';
  process.env.AWS_SECRET_ACCESS_KEY = 'not-a-secret';
});
afterEach(() => sockets.forEach((socket) => socket.destroy()));
afterAll(() => {
  process.env = environment;
  server.close();
});

const HERE = 'eu-central-1:111122223333';
const TARGETS: Record<string, AwsTarget> = {
  'lambda, mode sync': { type: 'lambda', functionArn: `arn:aws:lambda:${HERE}:function:target-f` },
  'lambda, mode async': {
    type: 'lambda',
    functionArn: `arn:aws:lambda:${HERE}:function:target-f`,
    mode: 'async',
  },
  sqs: { type: 'sqs', queueUrl: 'https://sqs.eu-central-1.amazonaws.com/111122223333/target-q' },
  sns: { type: 'sns', topicArn: `arn:aws:sns:${HERE}:target-t` },
  eventbridge: { type: 'eventbridge', eventBusName: 'target-b', source: 'shop', detailType: 'Order' },
  stepfunctions: { type: 'stepfunctions', stateMachineArn: `arn:aws:states:${HERE}:stateMachine:target-m` },
};

const LIMIT_MS = 500;
const timedOut = (ms: number) => ({
  outcome: 'retriable',
  error: `timed out after ${ms} ms (end of the invocation)`,
});
const TIMED_OUT = timedOut(LIMIT_MS);
/** For an answer that has to arrive before the limit, also on a machine that is busy. */
const LONG_LIMIT_MS = 10_000;
const log = new RecordingLog();
beforeEach(() => log.lines.splice(0));

/** One call as the executor makes it, `limitMs` before it needs the rest of its invocation for itself. */
function call(target: AwsTarget, limitMs = LIMIT_MS): Promise<TargetResult> {
  const deps = {
    clock: systemClock,
    log,
    call: callerOf({ http: { policy: 'public', nowMs: () => 0 }, secrets: noSecrets, aws: AWS_POLICY }),
    signingSecrets: async () => ({ host: [], legacy: [] }),
    traceHeaders: async () => ({ traceparent: '' }),
    secretUrl: async () => undefined,
    reportBy: async () => ({ callbackUrl: 'https://api/v1/attempts', token: 'token' }),
  };
  const handle = { lease: {} as never, signal: new AbortController().signal, lostBy: () => undefined };
  const execution = anExecution();
  const attempt = { execution, of: execution, job: aJob({ target, payload: {} }), handle };
  return callWithin(attempt, 0, deps, { remainingMs: () => 10_000 + limitMs });
}

/** The first call of a type loads its client, which may take longer than the limit. */
beforeAll(async () => {
  answer = (socket) => socket.resetAndDestroy();
  await Promise.all(Object.values(TARGETS).map((target) => call(target, 15_000)));
});

const OK = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`;
const HELD: [string, (socket: Socket) => void][] = [
  ['is silent', () => undefined],
  ['is silent after the headers', (socket) => socket.write(`${OK}Content-Length: 9\r\n\r\n`)],
  ['sends interim responses without end', endlessly('HTTP/1.1 103 Hints\r\n\r\n'.repeat(10))],
  ['trickles its headers', every(10, 'X-A: b\r\n', OK)],
  ['trickles its body', every(10, ' ', `${OK}Content-Length: 9999\r\n\r\n`)],
  ['never ends its body', every(10, '1\r\n \r\n', CHUNKED)],
  ['never ends its trailers', every(10, 'X-A: b\r\n', `${CHUNKED}2\r\n{}\r\n0\r\n`)],
];
const CUT: [string, (socket: Socket) => void][] = [
  ['closes its half at once', (socket) => socket.end()],
  ['closes its half inside the headers', (socket) => socket.end(OK)],
  ['closes its half inside the body', (socket) => socket.end(`${OK}Content-Length: 9\r\n\r\n{}`)],
  ['resets the connection', (socket) => socket.resetAndDestroy()],
];

/** The results of all types of targets, called side by side. */
async function callAll(limitMs?: number): Promise<Record<string, TargetResult>> {
  const calls = Object.entries(TARGETS).map(
    async ([type, target]) => [type, await call(target, limitMs)] as const,
  );
  return Object.fromEntries(await Promise.all(calls));
}
const forAll = (result: unknown) =>
  Object.fromEntries(Object.keys(TARGETS).map((type): [string, unknown] => [type, result]));

test('an endpoint that answers 101 holds the SDK for ever, and the attempt leaves the call behind', async () => {
  answer = (socket) =>
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n');
  expect(await callAll(LONG_LIMIT_MS)).toEqual(forAll(timedOut(LONG_LIMIT_MS)));
  const left = 'call left behind: it did not settle after its abort';
  expect(log.messages('warn')).toEqual(Object.keys(TARGETS).map(() => left));
});

test.each(HELD)('an endpoint that %s is ended by the limit', async (_, does) => {
  answer = does;
  expect(await callAll()).toEqual(forAll(TIMED_OUT));
  expect(log.messages('warn')).toEqual([]);
});

test.each(CUT)('an endpoint that %s is retriable at once', async (_, does) => {
  answer = does;
  const error: unknown = expect.not.stringMatching(/^timed out/);
  const results = await callAll(60_000); // a limit that nothing but a missed end reaches
  expect(results).toEqual(forAll(expect.objectContaining({ outcome: 'retriable', error })));
});
