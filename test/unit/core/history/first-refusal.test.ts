import { firstRefusal } from '../../../../lambdas/core/history/first-refusal';
import type { Job } from '../../../../lambdas/core/domain/job';
import type { KeptState } from '../../../../lambdas/core/domain/job-state';
import { stateOf } from '../../../../lambdas/core/domain/kept-state';
import { aJob, T0_MS } from '../../../support/factories';

const SECOND_MS = 1_000;
const by = { sub: 'ann', name: null, via: 'token' } as const;
const occurrence = { jobKey: 'alice/a', dueAtMs: T0_MS, trigger: 'schedule', revision: 'r1' } as const;

type State = Job & { removed?: KeptState['removed'] };

/** The state of a job, so many seconds after the occurrence was due. */
const stateAt = (number: number, sec: number, fields: Partial<State> = {}): State => {
  const atMs = T0_MS + sec * SECOND_MS;
  const ids = { changeNumber: number, revision: `r${number}`, etag: `e${number}` };
  return { ...aJob({ activeSinceMs: T0_MS - 60 * SECOND_MS }), ...ids, updatedAtMs: atMs, ...fields };
};
const removedAt = (sec: number) => ({ removed: { atMs: T0_MS + sec * SECOND_MS, by } });
const activeSince = (sec: number) => ({ activeSinceMs: T0_MS + sec * SECOND_MS });
const PAUSED = { status: 'paused' } as const;
const NIGHTLY = {
  schedule: { type: 'cron', expression: '0 3 * * *' },
  scheduleChangedAtMs: T0_MS + 10 * SECOND_MS,
} as const;

/** @param kept the oldest first, as a user made the changes */
const reasonOf = async (job: Job, ...kept: State[]): Promise<string | undefined> => {
  const states = kept
    .toReversed()
    .map(({ removed, ...state }) => ({ ...stateOf(state), ...(removed && { removed }), expiresAtSec: 0 }));
  const unused = () => Promise.reject(new Error('writes nothing'));
  const first = await firstRefusal(occurrence, job, {
    calendars: { get: async () => undefined, calendarOf: () => Promise.reject(new Error('no calendar')) },
    changes: { put: unused, erase: unused, list: async () => ({ states }) },
  });
  return first?.reason;
};

const created = stateAt(1, -60);
const restored = { lastChange: { what: 'restored', from: 1 } } as const;

test('what fell due before its job was paused and resumed did not run because of the pause', async () => {
  const paused = stateAt(2, 10, { ...PAUSED, pausedAtMs: T0_MS + 10 * SECOND_MS });
  expect(await reasonOf(stateAt(3, 20, activeSince(20)), created, paused)).toBe('paused');
});

test.each([
  ['as it was', stateAt(3, 20, { ...restored, ...activeSince(20) })],
  ['and was paused since', stateAt(4, 30, { ...PAUSED, pausedAtMs: T0_MS + 30 * SECOND_MS })],
  ['and was edited since', stateAt(4, 30, { name: 'other', ...activeSince(20) })],
  ['paused', stateAt(3, 20, { ...restored, ...PAUSED, pausedAtMs: T0_MS + 20 * SECOND_MS })],
])(
  'what fell due before its job was deleted did not run because of that: it came back %s',
  async (_, job) => {
    const back = stateAt(3, 20, { ...restored, ...activeSince(20) });
    const between = job.changeNumber === 4 ? [back] : [];
    expect(await reasonOf(job, { ...created, ...removedAt(10) }, ...between)).toBe('deleted');
  },
);

test('what fell due while its job was deleted did not run because of that, though it was paused before', async () => {
  const paused = stateAt(2, -20, { ...PAUSED, pausedAtMs: T0_MS - 20 * SECOND_MS, ...removedAt(-10) });
  expect(await reasonOf(stateAt(4, 20, { ...restored, ...activeSince(20) }), created, paused)).toBe(
    'deleted',
  );
});

test('a job that was made again does not hide that the one before was deleted', async () => {
  const again = stateAt(1, 20, { createdAtMs: T0_MS + 20 * SECOND_MS, ...activeSince(20), etag: 'other' });
  expect(await reasonOf(again, { ...created, ...removedAt(10) })).toBe('deleted');
});

test('the first change counts that the occurrence did not survive', async () => {
  const edited = stateAt(2, 10, NIGHTLY);
  const paused = stateAt(3, 20, { ...NIGHTLY, ...PAUSED, pausedAtMs: T0_MS + 20 * SECOND_MS });
  const resumed = stateAt(4, 30, { ...NIGHTLY, ...activeSince(30) });
  expect(await reasonOf(resumed, created, edited, paused)).toBe('superseded');
  const named = stateAt(2, 10, { name: 'other' });
  expect(await reasonOf(resumed, created, named, { ...paused, ...activeSince(-60) })).toBe('paused');
});

test('a deletion that failed is no reason', async () => {
  const paused = stateAt(2, 15, { ...PAUSED, pausedAtMs: T0_MS + 15 * SECOND_MS });
  const resumed = stateAt(3, 20, activeSince(20));
  expect(await reasonOf(resumed, { ...created, ...removedAt(10) }, paused)).toBe('paused');
});

test('of what fell due since the job became as it is, its row tells', async () => {
  expect(await reasonOf(stateAt(3, 0, activeSince(0)), created)).toBeUndefined();
});
