import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../lambdas/core/clock/clock';
import type { Errand } from '../../../../lambdas/core/domain/errand';
import type { OnErrand } from '../../../../lambdas/core/domain/lease';
import {
  endAwaitedSinceMs,
  hasArrived,
  isLostFromSight,
  isPressing,
  pressingProbeAfter,
  probesAround,
} from '../../../../lambdas/core/domain/probes';
import { anExecution, T0_MS } from '../../../support/factories';
import { MACHINE } from '../../../support/fake-errands';

const ENDS_MS = T0_MS + 10 * HOUR_MS;

function onErrand(overrides: Partial<OnErrand> = {}, errand: Partial<Errand> = {}): OnErrand {
  const started = { type: 'stepfunctions', name: 'qj-1', resource: MACHINE, firstStartAtMs: T0_MS } as const;
  return {
    ...anExecution({ status: 'running', claimedAtMs: T0_MS, heartbeatAtMs: T0_MS + SECOND_MS }),
    delegatedTo: { heartbeatWithinMs: 1, endsAtMs: ENDS_MS, errand: { ...started, ...errand } },
    ...overrides,
  };
}

const started = (type: Errand['type'] = 'stepfunctions') => ({ type, firstStartAtMs: T0_MS });

/** All probes of an errand until then, since its first start. */
function probesUntil(endMs: number, type?: Errand['type']): number[] {
  const times: number[] = [];
  for (let atMs = 0; ; times.push(atMs)) {
    atMs = probesAround(started(type), T0_MS + atMs).nextAtMs - T0_MS;
    if (atMs > endMs) return times;
  }
}

describe('the times of probes', () => {
  test('double, up to a quarter of an hour', () => {
    expect(probesUntil(HOUR_MS + MINUTE_MS).map((ms) => ms / MINUTE_MS)).toEqual([
      1, 2, 4, 8, 16, 31, 46, 61,
    ]);
  });

  test.each([
    ['on the first day', 0, DAY_MS, 15 * MINUTE_MS],
    ['on later days', DAY_MS, 7 * DAY_MS, HOUR_MS],
    ['after a week', 7 * DAY_MS, 14 * DAY_MS, 6 * HOUR_MS],
  ])('%s are so far apart', (_, fromMs, toMs, longestMs) => {
    const times = probesUntil(toMs);
    const pauses = times
      .slice(1)
      .flatMap((atMs, index) => (times[index]! < fromMs ? [] : [atMs - times[index]!]));
    expect(Math.max(...pauses)).toBe(longestMs);
  });

  test('stay as close where a service forgets an errand an hour after its end', () => {
    const times = probesUntil(14 * DAY_MS, 'ecs');
    expect(times.at(-1)! - times.at(-2)!).toBe(15 * MINUTE_MS);
  });

  test('follow from the first start alone: between two of them, all who ask get the same ones', () => {
    const between = { lastAtMs: T0_MS + 4 * MINUTE_MS, nextAtMs: T0_MS + 8 * MINUTE_MS };
    expect(probesAround(started(), T0_MS + 4 * MINUTE_MS)).toEqual(between);
    expect(probesAround(started(), T0_MS + 8 * MINUTE_MS - 1)).toEqual(between);
  });

  test('begin a minute after the start, also by a clock that is behind', () => {
    const first = { lastAtMs: undefined, nextAtMs: T0_MS + MINUTE_MS };
    expect(probesAround(started(), T0_MS + MINUTE_MS - 1)).toEqual(first);
    expect(probesAround(started(), T0_MS - MINUTE_MS)).toEqual(first);
  });

  test('where an end is awaited, come in 30 to 60 s, at one time for all who ask by then', () => {
    const slotMs = 30 * SECOND_MS;
    const startMs = Math.ceil(T0_MS / slotMs) * slotMs;
    expect(pressingProbeAfter(startMs)).toBe(startMs + 2 * slotMs);
    expect(pressingProbeAfter(startMs + slotMs - 1)).toBe(startMs + 2 * slotMs);
    expect(pressingProbeAfter(startMs + slotMs)).toBe(startMs + 3 * slotMs);
  });
});

describe('the end of an errand', () => {
  const cancelRequested = { reason: 'cancelled-by-user', atMs: T0_MS + HOUR_MS } as const;
  const endsAs = { status: 'cancelled', reason: 'paused' } as const;
  const claimedAtMs = T0_MS + MINUTE_MS;

  test.each<[what: string, execution: OnErrand, nowMs: number, sinceMs: number | undefined]>([
    ['is not awaited while its time lasts', onErrand(), ENDS_MS - 1, undefined],
    ['is awaited from the end of its time', onErrand(), ENDS_MS + MINUTE_MS, ENDS_MS],
    ['is awaited from a wish', onErrand({ cancelRequested }), T0_MS + 2 * HOUR_MS, T0_MS + HOUR_MS],
    ['is awaited from when it was left', onErrand({ claimedAtMs }, { endsAs }), T0_MS + HOUR_MS, claimedAtMs],
    ['is awaited from the first of these', onErrand({ cancelRequested }), ENDS_MS, T0_MS + HOUR_MS],
  ])('%s', (_, execution, nowMs, sinceMs) => {
    expect(endAwaitedSinceMs(execution, nowMs)).toBe(sinceMs);
    expect(isPressing(execution, nowMs)).toBe(sinceMs !== undefined);
  });

  test('is given up an hour after it was awaited, and no sooner', () => {
    expect(isLostFromSight(onErrand(), ENDS_MS + HOUR_MS - 1)).toBe(false);
    expect(isLostFromSight(onErrand(), ENDS_MS + HOUR_MS)).toBe(true);
    expect(isLostFromSight(onErrand({ cancelRequested }), T0_MS + 2 * HOUR_MS)).toBe(true);
  });
});

describe('a start without an answer', () => {
  const unresolved = onErrand({}, { unresolved: true });

  test('is probed for at once, and given up an hour after the last heartbeat', () => {
    expect(isPressing(unresolved, T0_MS)).toBe(true);
    expect(isLostFromSight(unresolved, T0_MS + SECOND_MS + HOUR_MS - 1)).toBe(false);
    expect(isLostFromSight(unresolved, T0_MS + SECOND_MS + HOUR_MS)).toBe(true);
  });

  test('has arrived a minute after the last heartbeat, if it ever does', () => {
    expect(hasArrived(unresolved, T0_MS + SECOND_MS + MINUTE_MS - 1)).toBe(false);
    expect(hasArrived(unresolved, T0_MS + SECOND_MS + MINUTE_MS)).toBe(true);
  });
});
