import { MINUTE_MS } from '../../../../lambdas/core/clock/clock';
import {
  type Alert,
  type AlertRules,
  filed,
  seen,
  type Sighting,
} from '../../../../lambdas/core/domain/alert';

const NOW_MS = 1_000_000_000;
const rules = (...kinds: string[]): AlertRules => ({
  opens: (problem) => kinds.includes(problem),
  tells: (kind) => kinds.includes(kind),
  minIntervalMs: 10 * MINUTE_MS,
});
const usual = rules('failed', 'late', 'recovered', 'succeeded');
const sighting = (kind: Sighting['kind'], minute: number): Sighting => ({
  kind,
  execId: `e${minute}`,
  fence: 1,
  atMs: NOW_MS + minute * MINUTE_MS,
});
/** Each sighting a minute after the one before. Returns the kinds that are sent. */
function play(which: AlertRules, ...ends: Sighting['kind'][]): [sent: string[], alert: Alert | undefined] {
  let alert: Alert | undefined;
  const sent = ends.map((kind, minute) => {
    const next = seen(alert, sighting(kind, minute), which, NOW_MS + minute * MINUTE_MS);
    alert = next?.pending ? filed(next) : (next ?? alert);
    return next?.pending?.kind ?? '-';
  });
  return [sent, alert];
}
const problems = (count: number) => Array.from({ length: count }, () => 'failed' as const);

test('problems are sent once in the interval, with their count', () => {
  const [sent, alert] = play(usual, ...problems(12));
  expect(sent.join(' ')).toBe('failed - - - - - - - - - failed -');
  expect(alert).toMatchObject({ isOpen: true, count: 12, sinceMs: NOW_MS, last: { count: 11 } });
});

test('a recovery is sent once, and only of problems that were sent', () => {
  expect(play(usual, 'failed', 'succeeded', 'succeeded')[0]).toEqual(['failed', 'recovered', 'succeeded']);
  // The second problem lies within the interval: neither it nor its end is sent.
  expect(play(rules('failed', 'recovered'), 'failed', 'succeeded', 'failed', 'succeeded')[0]).toEqual([
    'failed',
    'recovered',
    '-',
    '-',
  ]);
  expect(play(rules('slow', 'recovered'), 'slow', 'succeeded', 'slow', 'succeeded')[0]).toEqual([
    'slow',
    'recovered',
    '-',
    '-',
  ]);
});

test('an execution that fails again without a claim is a problem again, and its recheck is none', () => {
  const unclaimed = (minute: number) => ({ ...sighting('failed', minute), execId: 'e', fence: 0 });
  const first = filed(seen(undefined, unclaimed(0), usual, NOW_MS)!);
  expect(seen(first, unclaimed(0), usual, NOW_MS)).toBeUndefined();
  const over = filed(seen(first, sighting('succeeded', 1), usual, NOW_MS)!);
  expect(seen(over, unclaimed(2), usual, NOW_MS + 20 * MINUTE_MS)?.pending).toMatchObject({ kind: 'failed' });
});

test('a skipped range that grows is one problem', () => {
  const range = (minute: number) => ({ ...sighting('skipped', minute), execId: 'e', fence: 0 });
  const first = seen(undefined, range(0), rules('skipped'), NOW_MS)!;
  expect(seen(first, range(5), rules('skipped'), NOW_MS)).toBeUndefined();
});

test('a notification of recoveries alone tells them', () => {
  const alone: AlertRules = { ...rules('recovered'), opens: (problem) => problem === 'failed' };
  expect(play(alone, 'failed', 'failed', 'succeeded')[0]).toEqual(['-', '-', 'recovered']);
});

test('a success from before the newest problem is no recovery', () => {
  const [, alert] = play(usual, 'failed', 'failed');
  expect(seen(alert, sighting('succeeded', 0), rules('failed', 'recovered'), NOW_MS)).toBeUndefined();
});

test('a repeated sighting changes nothing', () => {
  const later = NOW_MS + 60 * MINUTE_MS;
  const [, failed] = play(usual, 'failed', 'failed');
  expect(seen(failed, sighting('failed', 0), usual, later)).toBeUndefined();
  expect(seen(failed, sighting('failed', 1), usual, later)).toBeUndefined();
  const [, recovered] = play(usual, 'failed', 'succeeded');
  expect(seen(recovered, sighting('succeeded', 1), usual, later)).toBeUndefined();
  const [, succeeded] = play(usual, 'succeeded');
  expect(seen(succeeded, sighting('succeeded', 0), usual, later)).toBeUndefined();
});

test('an alert is open until its recovery is filed', () => {
  const [, failed] = play(usual, 'failed');
  const recovering = seen(failed, sighting('succeeded', 1), usual, NOW_MS + MINUTE_MS)!;
  expect(recovering).toMatchObject({ isOpen: true, pending: { kind: 'recovered', execId: 'e1' } });
  expect(filed(recovering)).toMatchObject({ isOpen: false, count: 0, last: recovering.pending });
  expect(filed(recovering).pending).toBeUndefined();
});

test('what is late and then fails is one alert', () => {
  const late = seen(undefined, { ...sighting('late', 0), fence: 0 }, usual, NOW_MS)!;
  const failed = seen(filed(late), sighting('failed', 0), usual, NOW_MS + MINUTE_MS);
  expect([late.pending?.kind, failed?.pending, failed]).toMatchObject(['late', undefined, { count: 2 }]);
});

test('the row stays under 1 KB', () => {
  const [, alert] = play(usual, 'failed', 'succeeded', ...problems(100));
  const longId = '20261201T083000.000Z-0123456789012345678901234567890123456789';
  const last = { ...alert!.last!, execId: longId };
  const pending = seen(
    { ...alert!, last },
    { ...sighting('failed', 200), execId: longId },
    usual,
    NOW_MS + 300 * MINUTE_MS,
  );
  expect(pending?.pending?.execId).toBe(longId);
  for (const row of [{ ...alert, last }, pending]) expect(JSON.stringify(row).length).toBeLessThan(850);
});
