import { withinDeadline, startDeadline } from '../../../../lambdas/core/store/write-deadline';
import { WriteTimeoutError } from '../../../../lambdas/core/errors';
import type { WriteOptions } from '../../../../lambdas/core/store/write-options';
import { FakeClock } from '../../../support/fake-clock';
import { RecordingLog } from '../../../support/recording-log';

describe('a write within its deadline', () => {
  const setUp = () => ({ clock: new FakeClock(), log: new RecordingLog() });

  it('returns or throws what the write does, and leaves no timer behind', async () => {
    const deps = setUp();
    const deadline = startDeadline(deps.clock);
    expect(await withinDeadline(deadline, () => Promise.resolve('done'), deps)).toBe('done');
    await expect(withinDeadline(deadline, () => Promise.reject(new Error('refused')), deps)).rejects.toThrow(
      'refused',
    );
    expect(deps.clock.sleeping).toBe(0);
  });

  it('does not start after the deadline, whatever the wall clock says', async () => {
    const deps = setUp();
    const deadline = startDeadline(deps.clock);
    await deps.clock.advance(10_000);
    deps.clock.stepWall(-3_600_000);
    const write = jest.fn(() => Promise.resolve());
    await expect(withinDeadline(deadline, write, deps)).rejects.toThrow(WriteTimeoutError);
    expect(write).not.toHaveBeenCalled();
  });

  it('is given up and aborted at the deadline, and its late failure is logged', async () => {
    const deps = setUp();
    const deadline = startDeadline(deps.clock);
    const late = new Error('too slow');
    let signal: AbortSignal | undefined;
    const write = async ({ abortSignal }: WriteOptions) => {
      signal = abortSignal;
      await deps.clock.sleep(12_000);
      throw late;
    };
    let thrown: unknown;
    void withinDeadline(deadline, write, deps).catch((error: unknown) => (thrown = error));
    await deps.clock.advance(10_000);
    expect(thrown).toBeInstanceOf(WriteTimeoutError);
    expect(signal!.aborted).toBe(true);
    await deps.clock.advance(2_000);
    expect(deps.log.lines).toMatchObject([{ level: 'warn', fields: { error: 'Error: too slow' } }]);
  });
});
