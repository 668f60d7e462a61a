import { keepLease } from '../../../../lambdas/core/attempts/keep-lease';
import type { LeaseOutcome } from '../../../../lambdas/core/store/execution-store';
import { FakeClock } from '../../../support/fake-clock';
import { RecordingLog } from '../../../support/recording-log';

const lease = { jobKey: 'alice/job', execId: '20261201T083000.000Z', claimId: 'c', fence: 1, attempt: 1 };

/** A lease whose heartbeats are answered by `answers`, one after another; the last answer stays. */
function leaseWith(...answers: (() => Promise<LeaseOutcome>)[]) {
  const clock = new FakeClock();
  const heartbeats: number[] = [];
  const executions = {
    heartbeat: () => {
      heartbeats.push(clock.monotonicMs());
      return (answers.length > 1 ? answers.shift()! : answers[0]!)();
    },
  };
  const log = new RecordingLog();
  return {
    clock,
    heartbeats,
    log,
    handle: keepLease(lease, clock.monotonicMs(), { executions, clock, log }),
  };
}

const done = async (): Promise<LeaseOutcome> => 'done';
const refused = async (): Promise<LeaseOutcome> => 'lease-lost';
const failing = async (): Promise<LeaseOutcome> => Promise.reject(new Error('throttled'));
const hanging = () => new Promise<LeaseOutcome>(() => undefined);

test('heartbeats every 8 s for as long as it is held, and leaves no timer behind', async () => {
  const { clock, heartbeats, handle } = leaseWith(done);
  await clock.advance(120_000);
  expect(heartbeats.slice(0, 4)).toEqual([8_000, 16_000, 24_000, 32_000]);
  expect(handle.signal.aborted).toBe(false);
  await handle.release();
  await clock.advance(60_000);
  expect(heartbeats).toHaveLength(15);
  expect(clock.sleeping).toBe(0);
  expect(handle.signal.aborted).toBe(false);
});

test.each([
  ['fail', failing],
  ['hang', hanging],
])(
  'when all heartbeats %s it stops 26 s after the claim was sent, no sooner and no later',
  async (_, answer) => {
    const { clock, handle } = leaseWith(answer);
    await clock.advance(25_999);
    expect(handle.signal.aborted).toBe(false);
    await clock.advance(1);
    expect(handle.signal.aborted).toBe(true);
    expect(handle.lostBy()).toBe('expired');
    await handle.release();
    expect(clock.sleeping).toBe(0);
  },
);

test('the deadline counts from the send time of the last acknowledged heartbeat', async () => {
  const { clock, handle } = leaseWith(() => clock.sleep(1_500).then(done), failing);
  await clock.advance(8_000 + 25_999);
  expect(handle.signal.aborted).toBe(false);
  await clock.advance(1);
  expect(handle.lostBy()).toBe('expired');
});

test('two failed heartbeats and a good one: nothing happens', async () => {
  const { clock, handle } = leaseWith(failing, failing, done);
  await clock.advance(48_000);
  expect(handle.signal.aborted).toBe(false);
  await handle.release();
});

test('a heartbeat that is acknowledged too late does not move the deadline', async () => {
  const { clock, handle } = leaseWith(() => clock.sleep(3_000).then(done));
  await clock.advance(26_000);
  expect(handle.lostBy()).toBe('expired');
});

test('a refused heartbeat aborts at once', async () => {
  const { clock, handle } = leaseWith(done, refused);
  await clock.advance(15_999);
  expect(handle.signal.aborted).toBe(false);
  await clock.advance(1);
  expect(handle.lostBy()).toBe('refused');
});

test('calls that hang do not pile up: each is left after 2 s', async () => {
  const { clock, heartbeats, handle } = leaseWith(hanging);
  await clock.advance(26_000);
  expect(heartbeats).toEqual([8_000, 16_000, 24_000]);
  await handle.release();
});

test('a heartbeat under way at the release is left behind: no timer, no warning', async () => {
  const { clock, log, handle } = leaseWith(hanging);
  await clock.advance(9_000);
  await handle.release();
  expect(clock.sleeping).toBe(0);
  expect(log.lines).toEqual([]);
});

test('a heartbeat that fails after it was left behind is no unhandled rejection', async () => {
  const unhandled = jest.fn();
  process.on('unhandledRejection', unhandled);
  try {
    const { clock, log, handle } = leaseWith(() => clock.sleep(5_000).then(failing));
    await clock.advance(14_000);
    await handle.release();
    expect(log.messages('warn')).toEqual(['heartbeat not acknowledged']);
    expect(unhandled).not.toHaveBeenCalled();
  } finally {
    process.off('unhandledRejection', unhandled);
  }
});
