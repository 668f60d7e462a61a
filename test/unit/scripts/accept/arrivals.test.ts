import { latenessOf, problemsOf } from '../../../../scripts/accept/delivery/arrivals';
import { inTime } from '../../../../scripts/accept/jobs';
import { errorLinesIn, metricNamesIn } from '../../../../scripts/accept/site/log-lines';
import { receive } from '../../../../scripts/accept/receiver/answer.cjs';
import { histogramOf, histogramText, percentileOf } from '../../../../scripts/accept/substrate/histogram';

const DUE_MS = 1_800_000_000_000;
const arrival = (jobId: string, dueAtMs: number, lateMs: number, attempt = 1) => ({
  ...{ jobId, execId: `${dueAtMs}`, attempt, fence: attempt },
  ...{ dueAtMs, atMs: dueAtMs + lateMs },
});

test('an occurrence that is missing, early or repeated is a problem that names its job', () => {
  const due = new Map([
    ['a', [DUE_MS, DUE_MS + 1_000]],
    ['b', [DUE_MS]],
  ]);
  const problems = problemsOf({ due }, [
    arrival('a', DUE_MS, 20),
    arrival('a', DUE_MS, 900, 2),
    arrival('b', DUE_MS, -60),
  ]);
  expect(problems).toEqual({
    lost: ['a of 2027-01-15T08:00:01.000Z has not arrived'],
    early: ['b arrived 60 ms early'],
    twice: [expect.objectContaining({ jobId: 'a', attempt: 2 })],
  });
});

test('clocks may differ by 50 ms, and retries are not late', () => {
  const arrived = [arrival('a', DUE_MS, -50), arrival('b', DUE_MS, 10), arrival('b', DUE_MS, 9_000, 2)];
  expect(problemsOf({ due: new Map() }, arrived).early).toEqual([]);
  expect(latenessOf(arrived)).toEqual({ p50: -50, p99: 10, max: 10 });
});

test('a histogram counts each value once, and a percentile is one of the values', () => {
  const values = [-1_500, -1, 0, 49, 50, 150, 5_000];
  expect(histogramOf(values).map(({ count }) => count)).toEqual([1, 0, 1, 2, 1, 1, 0, 0, 1]);
  expect(histogramText([10, 2_000])).toBe('1 below 50 ms, 1 of 1000 ms or more');
  expect([0.01, 0.5, 0.99].map((share) => percentileOf(values, share))).toEqual([-1_500, 49, 5_000]);
  expect(percentileOf([], 0.5)).toBeNaN();
});

test.each([
  ['/200', '1', { status: 200, waitMs: 0 }],
  ['/404', '1', { status: 404, waitMs: 0 }],
  ['/flaky', '1', { status: 503, waitMs: 0 }],
  ['/flaky', '2', { status: 200, waitMs: 0 }],
  ['/slow/90000', '1', { status: 200, waitMs: 90_000 }],
])('the receiver answers %s, attempt %s', (path, attempt, expected) => {
  const headers = {
    'quarterjack-job': 'a',
    'quarterjack-execution': 'x',
    'quarterjack-attempt': attempt,
    'quarterjack-fence': '7',
    'quarterjack-due': '2027-01-15T08:00:00.000Z',
  };
  expect(receive({ path, headers, atMs: 5 })).toEqual({
    ...expected,
    arrival: {
      ...{ jobId: 'a', execId: 'x', attempt: Number(attempt), fence: 7, dueAtMs: DUE_MS, atMs: 5 },
      ...{ callback: undefined, token: undefined },
    },
  });
});

test('log lines tell of metrics and of errors since the run began; a line that was cut off is neither', () => {
  const lines = [
    '{"_aws":{"CloudWatchMetrics":[{"Namespace":"Quarterjack","Metrics":[{"Name":"LatenessMs"}]}]}}',
    '{"_aws":{"Cloud',
    '{"level":"ERROR","timestamp":"2027-01-15T07:59:59.000Z","message":"before"}',
    '{"level":"ERROR","timestamp":"2027-01-15T08:00:01.000Z","message":"message given back"}',
    '{"level":"WARN","timestamp":"2027-01-15T08:00:01.000Z","message":"\\"ERROR\\""}',
  ];
  expect(metricNamesIn(lines)).toEqual(new Set(['LatenessMs']));
  expect(errorLinesIn(lines, DUE_MS)).toEqual(['message given back']);
});

test('jobs that were created too late are made again, for an instant further ahead', async () => {
  let nowMs = 0;
  const tries: number[] = [];
  const made = await inTime({ nowMs: () => nowMs }, 1_000, (firstMs) => {
    tries.push(firstMs);
    nowMs += 2_500; // how long the creation takes
    return Promise.resolve(firstMs);
  });
  expect([made, tries]).toEqual([6_000, [1_000, 6_000]]);
});
