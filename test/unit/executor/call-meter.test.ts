import { CallMeter } from '../../../lambdas/executor/call-meter';
import { aMessage } from '../../support/factories';
import { FakeClock } from '../../support/fake-clock';
import { RecordingLog } from '../../support/recording-log';

function metered(add = async () => undefined as void) {
  const clock = new FakeClock();
  const log = new RecordingLog();
  const saved: number[] = [];
  const callLoads = {
    add: async (_: unknown, heldMs: number) => {
      saved.push(heldMs);
      await add();
    },
  };
  const meter = new CallMeter({ callLoads, clock, log });
  const call = async (ms: number) => {
    const ended = meter.begin(aMessage());
    await clock.advance(ms);
    ended();
  };
  return { clock, log, meter, saved, call };
}

const sumOf = (saved: readonly number[]) => saved.reduce((sum, heldMs) => sum + heldMs, 0);

test('short calls are saved many at a time', async () => {
  const { saved, call } = metered();
  for (let made = 0; made < 49; made++) await call(100);
  expect(saved).toEqual([]);
  await call(100);
  expect(saved).toEqual([5_000]);
});

test('a call that stays open is reported after half a second, and its end corrects that', async () => {
  const { clock, meter, saved } = metered();
  const ended = meter.begin(aMessage());
  await clock.advance(499);
  expect(saved).toEqual([]);
  await clock.advance(1);
  expect(saved).toEqual([10_500]);
  await clock.advance(2_000);
  ended();
  expect(sumOf(saved)).toBe(2_500);
  await clock.advance(60_000);
  expect(saved).toHaveLength(2); // no timer of it is left
});

test('a call of 22 s is reported in each window', async () => {
  const { saved, call } = metered();
  await call(22_000);
  expect(saved).toHaveLength(4);
  expect(sumOf(saved)).toBe(22_000);
});

test('calls of one project side by side hold the executor once, and those of others too', async () => {
  const { clock, meter, saved } = metered();
  const first = [1, 2, 3].map(() => meter.begin(aMessage({ jobKey: 'alice/a' })));
  const other = meter.begin(aMessage({ jobKey: 'bob/b' }));
  await clock.advance(2_000);
  const last = meter.begin(aMessage({ jobKey: 'alice/c' }));
  for (const ended of first) ended();
  other();
  await clock.advance(1_000);
  last();
  expect(saved).toEqual([10_500, 10_500, -8_500, -7_500]);
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
