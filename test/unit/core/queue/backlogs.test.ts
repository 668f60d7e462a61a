import type { Lane } from '../../../../lambdas/core/contracts/pools';
import { backlogs } from '../../../../lambdas/core/queue/backlogs';
import { FakeClock } from '../../../support/fake-clock';
import { RecordingLog } from '../../../support/recording-log';

const JOB = { pool: 'default', priority: 'medium' } as const;

describe('the backlog of a job', () => {
  let asked: Lane[];
  let failure: Error | undefined;
  let clock: FakeClock;
  let log: RecordingLog;

  beforeEach(() => {
    asked = [];
    failure = undefined;
    clock = new FakeClock();
    log = new RecordingLog();
  });

  const ofPass = (counts: Partial<Record<Lane, { visible: number; inFlight: number }>>) =>
    backlogs({
      queue: {
        backlog: async (_pool, lane) => {
          asked.push(lane);
          if (failure) throw failure;
          return counts[lane] ?? { visible: 0, inFlight: 0 };
        },
      },
      clock,
      log,
    });

  it.each([
    [{}, 'none'],
    [{ medium: { visible: 0, inFlight: 3 } }, 'in-flight'],
    [{ medium: { visible: 1, inFlight: 3 } }, 'waiting'],
    [{ overflow: { visible: 1, inFlight: 0 } }, 'waiting'],
  ] as const)('of %j is %s', async (counts, expected) => {
    expect(await ofPass(counts)(JOB)).toBe(expected);
  });

  it('of long calls is that of their lane alone', async () => {
    const backlogOf = ofPass({ medium: { visible: 1, inFlight: 0 }, long: { visible: 0, inFlight: 2 } });
    expect(await backlogOf({ ...JOB, longCall: true })).toBe('in-flight');
    expect(asked).toEqual(['long']);
  });

  it('is read once in a pass', async () => {
    const backlogOf = ofPass({});
    await Promise.all([backlogOf(JOB), backlogOf(JOB)]);
    await clock.advance(60_000);
    await backlogOf(JOB);
    expect(asked).toEqual(['medium', 'overflow']);
  });

  it('is unknown where its queue does not answer, and is read again a second later', async () => {
    const backlogOf = ofPass({ medium: { visible: 1, inFlight: 0 } });
    failure = new Error('RequestThrottled');
    expect(await backlogOf(JOB)).toBe('unknown');
    expect(await backlogOf(JOB)).toBe('unknown');
    expect(asked).toHaveLength(2);
    expect(log.lines.map(({ level }) => level)).toEqual(['warn', 'warn']);
    failure = undefined;
    await clock.advance(1_000);
    expect(await backlogOf(JOB)).toBe('waiting');
  });
});
