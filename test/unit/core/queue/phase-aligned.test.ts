import {
  type ExecutionQueue,
  SendError,
  type Outgoing,
} from '../../../../lambdas/core/queue/execution-queue';
import { phaseAligned } from '../../../../lambdas/core/queue/phase-aligned';
import { aMessage, T0_MS } from '../../../support/factories';
import { FakeClock } from '../../../support/fake-clock';

const MINUTE_MS = 60_000;

interface Sent {
  atMs: number;
  messages: readonly Outgoing[];
}

/** A queue that keeps what it is sent and when; a request to it takes `takesMs`. */
function aQueue(takesMs = 0) {
  const clock = new FakeClock(T0_MS);
  const sent: Sent[] = [];
  const underneath: ExecutionQueue = {
    has: () => true,
    backlog: async () => ({ visible: 0, inFlight: 0 }),
    async send(messages) {
      sent.push({ atMs: clock.nowMs(), messages });
      await clock.sleep(takesMs);
    },
  };
  return { clock, sent, underneath, queue: phaseAligned(underneath, clock) };
}

const due = (inMs: number, overrides: Parameters<typeof aMessage>[0] = {}): Outgoing => ({
  message: aMessage({ dueAtMs: T0_MS + inMs, ...overrides }),
  delaySec: 0,
});

/** How long before its time each message becomes visible. */
const leadsMs = (sent: readonly Sent[]): number[] =>
  sent.flatMap(({ atMs, messages }) =>
    messages.map(({ message, delaySec }) => message.startAtMs - (atMs + delaySec * 1_000)),
  );

test.each([200, 300, 450, 1_000])('the lead is a setting: %d ms', async (leadMs) => {
  const { clock, sent, underneath } = aQueue();
  const queue = phaseAligned(underneath, clock, leadMs);
  await clock.settle(queue.send([0, 250, 700].map((phaseMs) => due(MINUTE_MS + phaseMs))));
  // Neighbours of a batch leave together, at the phase of the first.
  expect(Math.min(...leadsMs(sent))).toBe(leadMs);
});

test.each([0, 1, 299, 300, 301, 500, 999])(
  'a message alone becomes visible 300 ms before its time, at phase %d of its second',
  async (phaseMs) => {
    const { clock, sent, queue } = aQueue();
    await clock.settle(queue.send([due(2 * MINUTE_MS + phaseMs)]));
    expect(leadsMs(sent)).toEqual([300]);
    expect(clock.nowMs()).toBeLessThan(T0_MS + 1_000);
  },
);

test('many are sent in full batches of neighbours, each visible within 400 ms before its time, in one second', async () => {
  const { clock, sent, queue } = aQueue(10);
  const messages = Array.from({ length: 375 }, (_, index) => due(2 * MINUTE_MS + ((index * 7_919) % 60_000)));
  await clock.settle(queue.send(messages));
  expect(sent.flatMap((one) => one.messages.map(({ message }) => message))).toHaveLength(375);
  expect(sent).toHaveLength(38);
  expect(Math.min(...leadsMs(sent))).toBeGreaterThanOrEqual(250);
  expect(Math.max(...leadsMs(sent))).toBeLessThanOrEqual(400);
  expect(clock.nowMs()).toBeLessThan(T0_MS + 1_050);
});

test('a few around the turn of a second share one batch', async () => {
  const { clock, sent, queue } = aQueue();
  const phases = [290, 310, 250, 350];
  await clock.settle(queue.send(phases.map((phase) => due(2 * MINUTE_MS + phase))));
  expect(sent).toHaveLength(1);
  expect(Math.max(...leadsMs(sent))).toBeLessThanOrEqual(400);
});

test('lanes do not share batches: their queues are different ones', async () => {
  const { clock, sent, queue } = aQueue();
  const lanes = (['high', 'medium', 'low'] as const).map((priority) => due(2 * MINUTE_MS, { priority }));
  await clock.settle(queue.send(lanes));
  expect(sent.map(({ messages }) => messages.length)).toEqual([1, 1, 1]);
});

test('what is due now, or overdue, does not wait for the others', async () => {
  const { clock, sent, queue } = aQueue();
  await clock.settle(queue.send([due(30_950), due(-5_000), due(0), due(1_500)]));
  expect(sent[0]).toMatchObject({ atMs: T0_MS });
  expect(sent[0]!.messages.map(({ delaySec }) => delaySec)).toEqual([0, 0, 1]);
  expect(sent.at(-1)!.atMs).toBe(T0_MS + 650);
});

test('what the queue refuses is told with all the rest sent', async () => {
  const { clock, sent, underneath } = aQueue();
  const messages = Array.from({ length: 30 }, (_, index) => due(2 * MINUTE_MS + index * 30));
  const refused = new Set(messages.filter((_, index) => index % 10 === 3).map(({ message }) => message));
  const queue = phaseAligned(
    {
      ...underneath,
      async send(some) {
        await underneath.send(some);
        const rejected = some.filter(({ message }) => refused.has(message));
        if (rejected.length > 0) throw new SendError(rejected);
      },
    },
    clock,
  );
  const error = await clock.settle(queue.send(messages).catch((reason: unknown) => reason));
  expect(error).toBeInstanceOf(SendError);
  expect(new Set((error as SendError).rejected.map(({ message }) => message))).toEqual(refused);
  expect(sent.flatMap((one) => one.messages)).toHaveLength(30);
});
