import { PRICES, RECURRING } from './prices';

/** What recurring jobs do. */
export interface Load {
  jobs: number;
  /** From one run of a job to the next. */
  everyMs: number;
  /** Until a target answers. */
  targetMs: number;
  /** Days that executions stay readable: `retentionDays`. */
  keepDays: number;
  /** Bytes that a job sends to its target. */
  payloadBytes: number;
  /** Jobs that run elsewhere, and say so by one ping as often. */
  monitors: number;
}

/** Whether each lane of a pool has a queue: `laneQueues` of the stage. */
export type LaneQueues = 'own' | 'shared';

/** What costs the same in a month without any job. */
export interface FixedLoad {
  pools: number;
  laneQueues: LaneQueues;
  /** Workers that always wait for work. */
  workers: number;
  /** Event pollers that are kept ready: the sum of `min` in `provisionedPollers`. */
  pollers: number;
  /** Tokens that machine clients get from the deployment's own user pool in a month. */
  tokens: number;
}

/** Dollars of a month: `from` where ten runs are due together, `to` where each is due alone. */
export interface MonthOf {
  name: string;
  runsFrom: number;
  runsTo: number;
  /** What stays: rows in tables, and their backups, once the first of them end. */
  kept: number;
  fixed: number;
  note: string;
}

const MILLION = 1_000_000;
/** Of docs/cost.md: an idle deployment with 4 shards and one pool whose lanes have queues of their own. */
export const IDLE_A_MONTH = 4.48;
/** Queues of a pool that Lambda polls, and those of all pools together: of scans and of sweeps. */
const LANES = { own: 7, shared: 2 };
const REQUEST_QUEUES = 2;
/** Lambda keeps five pollers on a queue, each with a request every twenty seconds. */
const RECEIVES_A_QUEUE = (5 * 3_600) / 20;
/** Metrics that the alarms of a further pool watch. */
const METRICS_A_POOL = 16;
/** Of docs/cost.md: a worker that waits all the time, twenty seconds a request. */
export const WAITING_WORKER_A_MONTH = 9.81;
const HOURS_A_MONTH = 730;
const MONTH_MS = HOURS_A_MONTH * 3_600_000;
/** Units of one run: next entry, claim and finish; tests count them. */
const WRITE_UNITS = 3;
const READ_UNITS = 2.5;
/** Before the target is called: most of it is the wait until the exact instant. */
const EXECUTOR_MS = 430;
const EXECUTOR_GB = 0.25;
const BATCH = 10;
/** Requests to SQS for a run: in full batches, and for a message alone. */
const SQS_REQUESTS = { shared: 0.4, alone: 3 };
/** One metric line for each batch, in GB, and the price of a GB of logs. */
const LOG_GB = 0.0000006;
/** A call with a new TLS handshake and its headers, in GB. */
const CALL_GB = 0.000003;
/** The row of an execution, in GB. */
const ROW_GB = 0.0000007;
const BYTES_A_GB = 1_000_000_000;
const DAYS_A_MONTH = MONTH_MS / 86_400_000;

/** A ping in time, with its occurrence: tests count them. */
const PING = { writeUnits: 2, readUnits: 7.1, gbSeconds: 0.01678 };

const timesAMonth = (many: number, { everyMs }: Pick<Load, 'everyMs'>): number => (many * MONTH_MS) / everyMs;
export const runsAMonth = (load: Load): number => timesAMonth(load.jobs, load);

/** Dollars for a million pings in time. */
export function perMillionPings(): number {
  const { writeUnits, readUnits, invocations, httpApiRequests } = PRICES.perMillion;
  const lambda = MILLION * PING.gbSeconds * PRICES.lambdaGbSecond;
  return PING.writeUnits * writeUnits + PING.readUnits * readUnits + lambda + invocations + httpApiRequests;
}

/** Dollars for a million runs, by whether ten of them share an executor. */
export function perMillionRuns(targetMs: number, isShared: boolean): number {
  const { writeUnits, readUnits, sqsRequests, invocations } = PRICES.perMillion;
  const executors = isShared ? MILLION / BATCH : MILLION;
  const seconds = (executors * (EXECUTOR_MS + targetMs)) / 1_000;
  return (
    WRITE_UNITS * writeUnits +
    READ_UNITS * readUnits +
    (isShared ? SQS_REQUESTS.shared : SQS_REQUESTS.alone) * sqsRequests +
    seconds * EXECUTOR_GB * PRICES.lambdaGbSecond +
    (executors / MILLION) * invocations +
    executors * LOG_GB * PRICES.gb.logs
  );
}

/** Dollars for what a million runs send to targets. */
export const perMillionRunsSent = ({ payloadBytes }: Pick<Load, 'payloadBytes'>): number =>
  MILLION * (CALL_GB + payloadBytes / BYTES_A_GB) * PRICES.gb.transferOut;

/** Dollars of a month for what is kept of these jobs. */
export function keptAMonth(load: Load): number {
  const rows = timesAMonth(load.jobs + load.monitors, load) * (load.keepDays / DAYS_A_MONTH);
  const gb = rows * ROW_GB + (load.jobs * load.payloadBytes) / BYTES_A_GB;
  return gb * (PRICES.gbMonth.storage + PRICES.gbMonth.backups);
}

/** How many queues Lambda polls. */
export const queuesOf = ({ pools, laneQueues }: Pick<FixedLoad, 'pools' | 'laneQueues'>): number =>
  pools * LANES[laneQueues] + REQUEST_QUEUES;

/** Dollars of a month by which queues and alarms differ from those of the idle deployment. */
function poolsAMonth(load: Pick<FixedLoad, 'pools' | 'laneQueues'>): number {
  const queues = queuesOf(load) - queuesOf({ pools: 1, laneQueues: 'own' });
  const receives = queues * RECEIVES_A_QUEUE * HOURS_A_MONTH;
  const alarms = (load.pools - 1) * METRICS_A_POOL * PRICES.alarmMetric;
  return (receives / MILLION) * PRICES.perMillion.sqsRequests + alarms;
}

/** Dollars of a month for a deployment without jobs. */
export const fixedAMonth = ({ workers, pollers, tokens, ...pools }: FixedLoad): number =>
  IDLE_A_MONTH +
  poolsAMonth(pools) +
  workers * WAITING_WORKER_A_MONTH +
  pollers * HOURS_A_MONTH * PRICES.pollerHour +
  (tokens / MILLION) * PRICES.perMillion.machineTokens;

/** A month of these jobs, here and elsewhere. */
export function monthsOf(load: Load, fixedLoad: FixedLoad): MonthOf[] {
  const millions = runsAMonth(load) / MILLION;
  const sent = perMillionRunsSent(load);
  const pings = (timesAMonth(load.monitors, load) / MILLION) * perMillionPings();
  return [
    {
      name: 'Quarterjack',
      runsFrom: millions * (perMillionRuns(load.targetMs, true) + sent) + pings,
      runsTo: millions * (perMillionRuns(load.targetMs, false) + sent) + pings,
      kept: keptAMonth(load),
      fixed: fixedAMonth(fixedLoad),
      note: 'to the second, with the history of each run',
    },
    ...RECURRING.map(({ name, perMillion, note }) => ({
      name,
      runsFrom: millions * perMillion,
      runsTo: millions * perMillion,
      kept: 0,
      fixed: 0,
      note,
    })),
  ];
}
