import { withinDeadline, startDeadline } from '../../../../lambdas/api/http/write-deadline';
import { WriteTimeoutError } from '../../../../lambdas/core/errors';
import { FakeClock } from '../../../support/fake-clock';
import { RecordingLog } from '../../../support/recording-log';

describe('a write within the time of its stamp', () => {
  const setUp = () => ({ clock: new FakeClock(), log: new RecordingLog() });

  it('gives its result, or fails as it does, and leaves no timer behind', async () => {
    const deps = setUp();
    const stamp = startDeadline(deps.clock);
    expect(await withinDeadline(stamp, () => Promise.resolve('done'), deps)).toBe('done');
    await expect(withinDeadline(stamp, () => Promise.reject(new Error('refused')), deps)).rejects.toThrow(
      'refused',
    );
    expect(deps.clock.sleeping).toBe(0);
  });

  it('is not begun once the time is over, whatever the wall clock says', async () => {
    const deps = setUp();
    const stamp = startDeadline(deps.clock);
    await deps.clock.advance(10_000);
    deps.clock.stepWall(-3_600_000);
    const write = jest.fn(() => Promise.resolve());
    await expect(withinDeadline(stamp, write, deps)).rejects.toThrow(WriteTimeoutError);
    expect(write).not.toHaveBeenCalled();
  });

  it('is given up when the time is over, and its late failure is logged', async () => {
    const deps = setUp();
    const stamp = startDeadline(deps.clock);
    const late = new Error('too slow');
    const write = async () => {
      await deps.clock.sleep(12_000);
      throw late;
    };
    const outcome = withinDeadline(stamp, write, deps).catch((error: unknown) => error);
    await deps.clock.advance(10_000);
    expect(await outcome).toBeInstanceOf(WriteTimeoutError);
    await deps.clock.advance(2_000);
    expect(deps.log.lines).toMatchObject([{ level: 'error', cause: late }]);
  });
});
