import fc from 'fast-check';

import type { Execution } from '../../../client/browser';
import { tookMs } from '../../../console/parts/took';
import { CHARACTER, folding, labelled, LONGEST_PAUSE_MS, timelineOf } from '../../../console/draw/timeline';

const DUE_MS = Date.parse('2026-11-22T08:30:00.000Z');
const at = (ms: number): string => new Date(DUE_MS + ms).toISOString();
const attempt = (number: number, fromMs: number, toMs: number, more: object = {}) =>
  ({
    attempt: number,
    fence: number,
    startedAt: at(fromMs),
    finishedAt: at(toMs),
    outcome: 'retriable',
    target: 0,
    statusCode: 503,
    error: null,
    ...more,
  }) as Execution['attempts'][number];
const facts = (more: Partial<Execution>) => ({
  dueAt: at(0),
  attempts: [],
  status: 'failed' as const,
  startedAt: null,
  latenessMs: null,
  heartbeatAt: null,
  nextAttemptAt: null,
  targets: [{ index: 0, status: 'failed' as const }],
  ...more,
});
const spansOf = (more: Partial<Execution>, nowMs = DUE_MS) =>
  timelineOf(facts(more), nowMs, ({ statusCode }) => `status ${statusCode}`).spans.map(
    ({ lane, kind, fromMs, toMs }) => [lane, kind, fromMs - DUE_MS, toMs - DUE_MS],
  );

test('two attempts: the queue, a lease and a call each, and the pause between them', () => {
  expect(
    spansOf({ attempts: [attempt(1, 20, 220), attempt(2, 10_220, 10_300, { outcome: 'succeeded' })] }),
  ).toEqual([
    ['queue', 'queue', 0, 20],
    ['lease', 'lease', 20, 220],
    ['lease', 'lease', 10_220, 10_300],
    ['call', 'failed', 20, 220],
    ['call', 'succeeded', 10_220, 10_300],
    ['wait', 'wait', 220, 10_220],
  ]);
});

test.each([
  ['its due time', at(20), 20, false, 0],
  ['its due time, though it began before by another clock', at(-5), 0, false, 0],
  ['the request for a date of a backfill', at(86_400_020), 15, true, 86_400_005],
])('the queue begins with %s', (_, startedAt, latenessMs, isAsked, sinceMs) => {
  const startMs = Date.parse(startedAt) - DUE_MS;
  const attempts = [attempt(1, startMs, startMs + 100)];
  const timeline = timelineOf(facts({ attempts, startedAt, latenessMs }), DUE_MS, () => '');
  expect([timeline.isAsked, timeline.sinceMs - DUE_MS]).toEqual([isAsked, sinceMs]);
  const queues = timeline.spans.filter(({ lane }) => lane === 'queue');
  expect(queues.map(({ fromMs, toMs }) => toMs - fromMs)).toEqual(latenessMs > 0 ? [latenessMs] : []);
});

test('each target has a lane, and one lease covers the calls of an attempt', () => {
  const targets = [0, 1].map((index) => ({ index, status: 'succeeded' as const }));
  const attempts = [attempt(1, 0, 100, { target: 1 }), attempt(1, 10, 300)];
  expect(spansOf({ attempts, targets })).toEqual([
    ['lease', 'lease', 0, 300],
    ['target 0', 'failed', 10, 300],
    ['target 1', 'failed', 0, 100],
  ]);
});

test('after a retry by a user, an execution took the time since then', () => {
  const startedAt = at(0);
  const finishedAt = at(1_500_100);
  expect(tookMs({ startedAt, finishedAt: at(10_100) })).toBe(10_100);
  expect(tookMs({ startedAt, finishedAt, retriedAt: at(800_000) })).toBe(700_100);
  expect(tookMs({ startedAt: null, finishedAt: null })).toBeUndefined();
  expect(tookMs({ startedAt: at(700), finishedAt: at(33) })).toBe(0); // by another clock
});

test('a running attempt lasts until now, with its last heartbeat', () => {
  const running = { status: 'running' as const, startedAt: at(40), heartbeatAt: at(8_040) };
  const { spans } = timelineOf(facts(running), DUE_MS + 9_000, () => '');
  expect(spans.find(({ lane }) => lane === 'lease')).toMatchObject({
    fromMs: DUE_MS + 40,
    toMs: DUE_MS + 9_000,
    ticks: [DUE_MS + 8_040],
  });
});

test('what never began has nothing to draw', () => {
  expect(spansOf({ status: 'skipped' })).toEqual([]);
});

const instant = fc.integer({ min: -100_000, max: 100_000_000 });
const anyFacts = fc.record({
  status: fc.constantFrom('running', 'failed', 'queued', 'retrying', 'succeeded', 'cancelled' as const),
  startedAt: fc.option(instant.map(at)),
  latenessMs: fc.option(fc.nat({ max: 100_000_000 })),
  heartbeatAt: fc.option(instant.map(at)),
  attempts: fc.array(
    fc
      .tuple(fc.integer({ min: 1, max: 500 }), instant, instant)
      .map(([number, from, to]) => attempt(number, from, to)),
    { maxLength: 60 },
  ),
});

test('with any times, missing ends and clocks that disagree, no span ends before it begins', () => {
  fc.assert(
    fc.property(anyFacts, instant, (some, nowMs) => {
      const { spans } = timelineOf(facts(some as Partial<Execution>), DUE_MS + nowMs, () => '');
      for (const span of spans) {
        expect(span.toMs).toBeGreaterThanOrEqual(span.fromMs);
        expect(Number.isFinite(span.fromMs + span.toMs)).toBe(true);
      }
      expect(spans.length).toBeGreaterThanOrEqual(some.attempts.length > 0 ? 1 : 0);
    }),
  );
});

test('of any execution, pauses do not overlap, so that its folded axis never goes back', () => {
  fc.assert(
    fc.property(anyFacts, instant, instant, fc.nat(60_000), (some, nowMs, ms, step) => {
      const { spans } = timelineOf(facts(some as Partial<Execution>), DUE_MS + nowMs, () => '');
      const pauses = spans
        .filter(({ kind }) => kind === 'wait' || kind === 'queue')
        .toSorted((a, b) => a.fromMs - b.fromMs);
      expect(pauses.filter(({ fromMs }, index) => index > 0 && fromMs < pauses[index - 1]!.toMs)).toEqual([]);
      const fold = folding(pauses);
      expect(fold(DUE_MS + ms + step)).toBeGreaterThanOrEqual(fold(DUE_MS + ms));
    }),
  );
});

test('no label of an instant lies on another, and the first is always there', () => {
  const places = fc.array(fc.integer({ min: 0, max: 830 }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(places, fc.constantFrom('due ', 'asked for '), (some, word) => {
      const instants = some.toSorted((a, b) => a - b);
      const shown = labelled(instants, word, (ms) => ms);
      expect(shown[0]).toBe(instants[0]);
      const time = '12:37:50.133'.length * CHARACTER;
      const sides = shown.map((at, index) =>
        index === 0 ? [at, at + word.length * CHARACTER + time] : [at - time / 2, at + time / 2],
      );
      expect(sides.filter(([left], index) => index > 0 && left! <= sides[index - 1]![1]!)).toEqual([]);
    }),
  );
  expect(labelled([0, 126, 200], 'due ', (ms) => ms)).toEqual([0, 200]);
});

test('folding never goes back, keeps short pauses, and draws a long one as 12 s', () => {
  const pauses = fc.array(
    fc.tuple(fc.integer({ min: 0, max: 60_000 }), fc.integer({ min: 0, max: 60_000 })),
    {
      maxLength: 10,
    },
  );
  fc.assert(
    fc.property(
      pauses,
      fc.integer({ min: 0, max: 900_000 }),
      fc.integer({ min: 0, max: 60_000 }),
      (parts, ms, step) => {
        let end = 0;
        const spans = parts.map(([gap, length]) => ({ fromMs: end + gap, toMs: (end += gap + length) }));
        const fold = folding(spans);
        expect(fold(ms + step)).toBeGreaterThanOrEqual(fold(ms));
        for (const { fromMs, toMs } of spans)
          expect(fold(toMs) - fold(fromMs)).toBe(Math.min(toMs - fromMs, LONGEST_PAUSE_MS));
      },
    ),
  );
});
