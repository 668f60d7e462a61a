import type { SpansMessage } from '../../../lambdas/core/contracts/otlp';
import { spanOfAttempt } from '../../../lambdas/core/delivery/trace-ids';
import type { Execution } from '../../../lambdas/core/domain/execution';
import type { ExecutionChange } from '../../../lambdas/core/store/execution-stream';
import type { OtlpSpan } from '../../../lambdas/core/telemetry/otlp';
import { follow } from '../../../lambdas/follower/follow';
import { anExecution, T0_MS } from '../../support/factories';
import { RecordingLog } from '../../support/recording-log';
import { RecordingMeter } from '../../support/recording-meter';
import { ALL_SAMPLED } from '../../support/spans-world';

const SECRET = Buffer.alloc(32, 7);
const attempt = (fence: number, nth: number, outcome: 'retriable' | 'succeeded' = 'succeeded') => ({
  ...{ attempt: nth, fence, outcome, target: 0 },
  ...{ startedAtMs: T0_MS + fence * 1_000, finishedAtMs: T0_MS + fence * 1_000 + 100 },
});
const running = (more: Partial<Execution> = {}) =>
  anExecution({ status: 'running', fence: 1, startedAtMs: T0_MS + 1_000, ...more });
const ended = (more: Partial<Execution> = {}) =>
  running({ status: 'succeeded', finishedAtMs: T0_MS + 9_000, attempts: [attempt(1, 1)], ...more });

function aFollower(fails: (message: SpansMessage) => boolean = () => false) {
  const [log, meter] = [new RecordingLog(), new RecordingMeter()];
  const sent: SpansMessage[] = [];
  const none = { unread: new Set<string>(), unreadable: new Set<string>() };
  const spans = {
    sampling: ALL_SAMPLED,
    secret: { get: async () => SECRET },
    queue: {
      send: async ([one]: readonly { request: SpansMessage }[]) => {
        if (fails(one!.request)) throw new Error('throttled');
        sent.push(one!.request);
      },
    },
    executions: { getMany: async () => ({ executions: new Map(), ...none }) },
    jobs: { getMany: async () => ({ jobs: new Map(), ...none }) },
    flows: { get: async () => undefined } as never,
  };
  const deps = { spans, log, meter, clock: { nowMs: () => T0_MS + 10_000 }, retentionDays: 30 };
  const run = (...changes: [before: Execution | undefined, after: Execution][]) =>
    follow(
      changes.map(([before, after], index): ExecutionChange => ({
        ...{ name: `event-${index}`, sequence: String(100 + index), atMs: T0_MS },
        ...{ before, after },
      })),
      deps,
    );
  const names = () => sent.flatMap((message) => message.spans.map(({ name }) => name));
  return { sent, log, meter, run, names };
}

test.each<[what: string, before: Execution | undefined, after: Execution, names: string[]]>([
  ['an end', running(), ended(), ['wait', 'attempt', 'execute nightly-report']],
  ['a skip', undefined, ended({ status: 'skipped', startedAtMs: undefined, attempts: [] }), []],
  [
    'a skipped range that grows',
    ended({ status: 'skipped', startedAtMs: undefined, skipped: { fromMs: 0, toMs: 0, count: 1 } }),
    ended({ status: 'skipped', startedAtMs: undefined, skipped: { fromMs: 0, toMs: 1, count: 2 } }),
    [],
  ],
  [
    'a user retry that is cancelled before it begins',
    running({ status: 'retrying', attempt: 1, userRetries: 1, attempts: [attempt(1, 1, 'retriable')] }),
    ended({ status: 'cancelled', userRetries: 1, attempts: [attempt(1, 1, 'retriable')] }),
    [],
  ],
  ['a late result', ended(), ended({ lateResults: [attempt(2, 2)] }), []],
  ['a message of a notification', running(), ended({ jobKey: 'alice/~n-ops' }), []],
])('of %s, there are as many spans as it began', async (_, before, after, names) => {
  const follower = aFollower();
  expect(await follower.run([before, after])).toEqual({});
  expect(follower.names()).toEqual(names);
});

test('after a user retry, the attempts of before have no second span', async () => {
  const follower = aFollower();
  const attempts = [attempt(1, 1, 'retriable'), attempt(2, 2, 'retriable'), attempt(3, 1)];
  const after = ended({ userRetries: 1, fence: 3, attempts });
  await follower.run([running({ userRetries: 1 }), after]);
  const [call, own] = follower.sent[0]!.spans as unknown as [OtlpSpan, OtlpSpan];
  expect(follower.names()).toEqual(['attempt', 'execute nightly-report']);
  expect(call.spanId).toBe(spanOfAttempt({ ...after, fence: 3 }, 0, SECRET));
  expect(own.startTimeUnixNano).toBe(call.startTimeUnixNano);
});

test('an end is in the trace of its own time, also if a retry in another trace ends in the same batch', async () => {
  const follower = aFollower();
  const failed = ended({ status: 'failed', attempts: [attempt(1, 1, 'retriable')] });
  const retried = {
    userRetries: 1,
    fence: 2,
    trace: { id: '1'.repeat(32), parent: '2'.repeat(16), flags: 0 },
  };
  const after = ended({ ...retried, attempts: [attempt(1, 1, 'retriable'), attempt(2, 1)] });
  await follower.run([running(), failed], [running(retried), after]);
  expect(follower.names()).toEqual(['wait', 'attempt', 'execute nightly-report']);
});

test('messages are bounded; from the first that was not sent, the batch comes again', async () => {
  const many = Array.from({ length: 600 }, (_, index) => ended({ execId: `20261201T083000.000Z-${index}` }));
  const changes = many.map((one): [Execution, Execution] => [running(), one]);
  const whole = aFollower();
  expect(await whole.run(...changes)).toEqual({});
  expect(whole.names()).toHaveLength(1_800);
  for (const message of whole.sent) {
    expect(message.spans.length).toBeLessThanOrEqual(512);
    expect(JSON.stringify(message.spans).length).toBeLessThanOrEqual(200_002);
  }
  expect(whole.sent.length).toBeGreaterThan(3);

  let nth = 0;
  const failing = aFollower(() => ++nth === 2);
  const { failedFrom } = await failing.run(...changes);
  const [first] = whole.sent;
  const firstMissing = Math.floor(first!.spans.length / 3);
  expect(failedFrom).toBe(String(100 + firstMissing));
  expect(failing.log.messages('error')).toEqual(['spans were not sent; the stream brings them again']);
});

test('an execution of which no spans can be made is counted, and holds up no other', async () => {
  const follower = aFollower();
  const broken = ended({
    execId: '20261201T083000.000Z-x',
    attempts: [{ ...attempt(1, 1), startedAtMs: Number.NaN }],
  });
  expect(await follower.run([running(), broken], [running(), ended()])).toEqual({});
  expect(follower.names()).toEqual(['wait', 'attempt', 'execute nightly-report']);
  expect(follower.meter.total('OtlpDropped')).toBe(1);
});
