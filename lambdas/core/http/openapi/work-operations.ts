import type { Operation } from '../../contracts/routes';
import { ReportView } from '../answers';
import { EmptyBody } from '../job';
import { LogBody } from '../log';
import { LogPage, LogReceiptView } from '../log-answers';
import { ClaimBody } from '../work';
import { ClaimView, WorkQueueDetailView, WorkQueuePage } from '../work-answers';
import type { OperationSpec } from './operation-spec';

const work = {
  token: 'mEXAMPLE-token-of-the-attempt',
  jobId: 'load-orders',
  execId: '20261201T020000.000Z',
  attempt: 1,
  fence: 1,
  dueAt: '2026-12-01T02:00:00.000Z',
  claimedAt: '2026-12-01T02:00:00.412Z',
  deadline: '2026-12-01T05:00:00.412Z',
  heartbeatTimeout: '60s',
  payload: { table: 'orders' },
  trigger: 'schedule',
  traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
};

const queue = {
  queue: 'warehouse',
  jobs: 3,
  waiting: 1,
  waitingIs: 'exact',
  oldestOfferedAt: '2026-12-01T02:00:00.021Z',
};

const log = {
  items: [{ attempt: 1, at: '2026-12-01T02:00:01.000Z', stream: 'stdout', text: '7 rows loaded' }],
  nextCursor: null,
};

const LOG =
  'Lines in order. While an attempt works, the page has a cursor that goes on: ask again with it as `after`. ' +
  'With `Accept: text/plain` the response is the text of the page alone, and the header `Quarterjack-Next-Cursor` ' +
  'has the cursor, if there is one.';

const logOf = (summary: string): OperationSpec => ({
  tag: 'Executions',
  summary,
  description: LOG,
  responses: { 200: { description: 'A page of the log.', schema: LogPage, example: log } },
  problems: [404],
});

export const WORK_OPERATIONS = {
  claimWork: {
    tag: 'Work',
    summary: 'Claim executions that wait in a work queue',
    description:
      'Hands out executions of jobs with the target `worker`, by priority and then by time, each with a token for its ' +
      'reports. Their leases last for `heartbeatTimeout` and then for as long after each heartbeat. With `wait`, the ' +
      'request waits until there is work, or until the time is over. A claim that is repeated with the same ' +
      '`Idempotency-Key` within 5 minutes gets the same work.',
    headers: ['Idempotency-Key'],
    body: {
      schema: ClaimBody,
      required: true,
      example: { queue: 'warehouse', wait: '20s', worker: 'host-1/4711' },
    },
    responses: {
      200: {
        description: 'The claimed work; none if none is due.',
        schema: ClaimView,
        example: { work: [work] },
      },
    },
    problems: [422],
  },
  releaseWork: {
    tag: 'Work',
    summary: 'Give claimed work back before it has begun',
    description:
      'The execution waits in its queue again and costs none of its attempts. From the third release in a row, it waits ' +
      '10 s first, and twice as long each time, up to 10 minutes. After 20 it has failed as `crashed`. If its ' +
      'cancellation was requested, or its job is deleted or paused, it is cancelled. Counts towards the quota ' +
      '`reportsPerMinute`.',
    body: { schema: EmptyBody, required: false, example: {} },
    responses: {
      200: { description: 'It is given back.', schema: ReportView, example: { status: 'retrying' } },
    },
    problems: [409],
  },
  listWorkQueues: {
    tag: 'Work',
    summary: 'List the work queues that jobs name',
    responses: {
      200: {
        description: 'A page of the queues, by name.',
        schema: WorkQueuePage,
        example: { items: [queue], nextCursor: null },
      },
    },
  },
  getWorkQueue: {
    tag: 'Work',
    summary: 'Get a work queue: what waits in it, and its workers',
    description: 'A queue that no job names is empty.',
    responses: {
      200: {
        description: 'The queue.',
        schema: WorkQueueDetailView,
        example: {
          ...queue,
          first: [
            {
              jobId: 'load-orders',
              execId: '20261201T020000.000Z',
              attempt: 1,
              priority: 'medium',
              startAt: '2026-12-01T02:00:00.000Z',
              offeredAt: '2026-12-01T02:00:00.021Z',
            },
          ],
          workers: [{ worker: 'host-1/4711', lastSeenAt: '2026-12-01T01:59:58.000Z' }],
        },
      },
    },
    problems: [404],
  },
  appendLog: {
    tag: 'Attempts',
    summary: 'Append lines to the log of an attempt',
    description:
      'A chunk that is repeated with equal lines changes nothing; with other lines it is 409. After the end of the ' +
      'lease, chunks are taken for another 60 seconds. Beyond the limits of the attempt or of the day, nothing more is ' +
      'kept, and the log says so once. Counts towards the quota `reportsPerMinute`. A report that gets 429 has changed ' +
      'nothing.',
    body: {
      schema: LogBody,
      required: true,
      example: {
        chunk: 0,
        lines: [{ at: '2026-12-01T02:00:01.000Z', stream: 'stdout', text: '7 rows loaded' }],
      },
    },
    responses: {
      200: {
        description: 'The chunk is kept, or nothing more is.',
        schema: LogReceiptView,
        example: { bytes: 13, truncated: false },
      },
    },
    problems: [409],
  },
  getExecutionLog: logOf('Read the log of an execution'),
  getTaskLog: logOf('Read the log of a task of a run'),
} satisfies Partial<Record<Operation, OperationSpec>>;
