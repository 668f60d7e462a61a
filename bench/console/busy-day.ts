/** A day of a project as an API tells it: 1,050 executions of 291 jobs, a third of the failures the same. */
const DAY_MS = 86_400_000;
const EXECUTIONS = 1_050;
const FAILURES = 340;
const PAGE = 100;

const midnightMs = (): number => Date.now() - (Date.now() % DAY_MS);

const executionOf = (index: number, status: string) => {
  const dueAt = new Date(midnightMs() + index * 60_000).toISOString();
  const attempt = {
    attempt: 1,
    fence: 1,
    target: 0,
    startedAt: dueAt,
    finishedAt: dueAt,
    outcome: status === 'failed' ? 'fatal' : 'ok',
    statusCode: status === 'failed' ? 503 : 200,
    error: status === 'failed' ? 'target answered 503' : null,
  };
  return {
    jobId: `job-${String(index % 291).padStart(5, '0')}`,
    execId: dueAt.replace(/[-:]/g, ''),
    trigger: 'schedule',
    status,
    reason: status === 'failed' ? 'attempts-exhausted' : null,
    dueAt,
    startedAt: dueAt,
    finishedAt: dueAt,
    latenessMs: 40 + (index % 7),
    attempts: [attempt],
    targets: [{ type: 'http', url: 'https://api.example.com/hook', status: status }],
    result: { statusCode: attempt.statusCode, body: '{"rows":7}' },
    fingerprint: `v1/http/503/${index % 3}`,
    skipped: null,
    detail: null,
    by: null,
    orderingKey: null,
  };
};

/** A page of a list of `total` rows, the newest first. */
function pageOf(searchParams: URLSearchParams, total: number, statusOf: (index: number) => string) {
  const from = Number(searchParams.get('cursor') ?? 0);
  const count = Math.min(Number(searchParams.get('limit') ?? 25), PAGE, total - from);
  return {
    items: Array.from({ length: count }, (_, index) => {
      const at = total - 1 - from - index;
      return executionOf(at, statusOf(at));
    }),
    nextCursor: from + count < total ? String(from + count) : null,
  };
}

const COUNTS = { succeeded: 710, failed: FAILURES, cancelled: 0, skipped: 0 };

export function executionsOfDay(searchParams: URLSearchParams) {
  const status = searchParams.get('status');
  const total = status === 'running' || status === 'retrying' ? 2 : EXECUTIONS;
  return {
    ...pageOf(searchParams, total, (index) => status ?? (index % 3 === 0 ? 'failed' : 'succeeded')),
    from: new Date(midnightMs()).toISOString(),
    to: new Date(midnightMs() + DAY_MS).toISOString(),
    jobs: 291,
    complete: true,
    incompleteBecause: [],
    asOf: new Date().toISOString(),
    ...(searchParams.has('counts') && { counts: { ...COUNTS, atLeast: false } }),
  };
}

export function failuresOfDay(searchParams: URLSearchParams) {
  if (searchParams.get('blocksKey') === 'true') return { items: [], nextCursor: null };
  if (searchParams.has('group')) return { groups: Array.from({ length: 3 }, groupOf), complete: true };
  return pageOf(searchParams, FAILURES, () => 'failed');
}

const groupOf = (_: unknown, index: number) => ({
  fingerprint: `v1/http/503/${index}`,
  status: 'failed',
  statusCode: 503,
  errorClass: null,
  reason: 'attempts-exhausted',
  task: null,
  host: 'api.example.com',
  excerpt: 'upstream_unavailable',
  count: Math.round(FAILURES / 3),
  countIs: 'exact',
  jobs: 97,
  firstEndedAt: new Date(midnightMs()).toISOString(),
  lastEndedAt: new Date().toISOString(),
  latest: { jobId: 'job-00001', execId: 'e1' },
  first: { jobId: 'job-00001', execId: 'e0' },
  ack: null,
});

const ends = (counts: object) => ({
  counts: { ...COUNTS, ...counts },
  successRate: 0.68,
  duration: { p50: 300, p95: 1_100 },
  lateness: { p50: 41, p95: 45, p99: 46, max: 46 },
  late: 0,
});

export const statsOfDay = () => ({
  by: 'hour',
  from: new Date(midnightMs()).toISOString(),
  to: new Date(midnightMs() + DAY_MS).toISOString(),
  buckets: Array.from({ length: 24 }, (_, hour) => ({
    from: new Date(midnightMs() + hour * 3_600_000).toISOString(),
    ...ends({ succeeded: 30, failed: 14 }),
  })),
  total: ends({}),
  resolution: 0.19,
  complete: true,
  incompleteBecause: [],
  asOf: new Date().toISOString(),
});
