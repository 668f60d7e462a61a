import type { CallLoad } from '../../../lambdas/core/domain/call-load';
import { CallMeter } from '../../../lambdas/executor/call-meter';
import { aMessage } from '../../support/factories';
import { FakeClock } from '../../support/fake-clock';
import { RecordingLog } from '../../support/recording-log';

const OPEN_REPORT_MS = 10_500;

function metered(add = async () => undefined as void) {
  const clock = new FakeClock();
  const log = new RecordingLog();
  const saved: CallLoad[] = [];
  const callLoads = {
    add: async (_: unknown, load: CallLoad) => {
      saved.push(load);
      await add();
    },
  };
  const meter = new CallMeter({ callLoads, clock, log });
  const call = async (ms: number) => {
    const ended = meter.begin(aMessage({ pool: 'default' }));
    await clock.advance(ms);
    ended();
  };
  return { clock, log, meter, saved, call };
}

const sumOf = (loads: readonly CallLoad[]) =>
  loads.reduce((sum, { calls, heldMs }) => ({ calls: sum.calls + calls, heldMs: sum.heldMs + heldMs }), {
    calls: 0,
    heldMs: 0,
  });

test('short calls are saved many at a time', async () => {
  const { saved, call } = metered();
  for (let made = 0; made < 49; made++) await call(100);
  expect(saved).toEqual([]);
  await call(100);
  expect(saved).toEqual([{ calls: 50, heldMs: 5_000 }]);
});

test('a call that stays open is reported after half a second, and its end corrects that', async () => {
  const { clock, meter, saved } = metered();
  const ended = meter.begin(aMessage());
  await clock.advance(499);
  expect(saved).toEqual([]);
  await clock.advance(1);
  expect(saved).toEqual([{ calls: 1, heldMs: OPEN_REPORT_MS }]);
  await clock.advance(2_000);
  ended();
  expect(sumOf(saved)).toEqual({ calls: 1, heldMs: 2_500 });
  await clock.advance(60_000);
  expect(saved).toHaveLength(2); // nothing of it is left
});

test('a call of 22 s is reported in each window, as one call', async () => {
  const { saved, call } = metered();
  await call(22_000);
  expect(saved.map(({ calls }) => calls)).toEqual([1, 0, 0, 0]);
  expect(sumOf(saved).heldMs).toBe(22_000);
});

test('what is open of one project is saved once a second', async () => {
  const { clock, meter, saved } = metered();
  const ends = Array.from({ length: 10 }, () => meter.begin(aMessage()));
  await clock.advance(500);
  expect(saved).toHaveLength(1);
  await clock.advance(1_000);
  for (const ended of ends) ended();
  expect(saved.length).toBeLessThanOrEqual(2);
});

test('the end of an invocation waits for what is being saved, and a failure is logged', async () => {
  let fail = (_: Error) => undefined as void;
  const { clock, log, meter } = metered(() => new Promise((_, reject) => (fail = reject)));
  const ended = meter.begin(aMessage());
  await clock.advance(500);
  let isSaved = false;
  const saving = meter.saved().then(() => (isSaved = true));
  await clock.flush();
  expect(isSaved).toBe(false);
  fail(new Error('no answer'));
  await saving;
  ended();
  expect(log.lines.map(({ level, message }) => [level, message])).toEqual([
    ['warn', 'load of a project was not saved'],
  ]);
});
