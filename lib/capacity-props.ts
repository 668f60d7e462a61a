// How much a deployment can do, and what each project may use of it.

/** Queues of a pool: one for each priority, one for what exceeds a project's share, one for long calls. */
export type QueueName = 'highest' | 'high' | 'medium' | 'low' | 'lowest' | 'overflow' | 'long';

/** Executors that may work at once, 2 to 1,000 for each queue. No priority has more than a higher one. */
export interface MaxConcurrencyProps {
  /** Executors of the priority `highest`. */
  readonly highest: number;
  /** Executors of the priority `high`. */
  readonly high: number;
  /** Executors of the priority `medium`. */
  readonly medium: number;
  /** Executors of the priority `low`. */
  readonly low: number;
  /** Executors of the priority `lowest`. */
  readonly lowest: number;
  /** For what exceeds the share of a project. */
  readonly overflow: number;
  /** For calls that may take more than 30 s. @default that of `overflow` */
  readonly long?: number;
}

/** Event pollers that AWS keeps ready for a queue. Each allows ten executors at once. */
export interface PollersProps {
  /** 2 to 200. */
  readonly min: number;
  /** 2 to 2,000. */
  readonly max: number;
}

/**
 * The two executor functions of a pool: for long calls, and for all others. What a pool leaves out is as in
 * the pool `default`, whose values are given here.
 */
export interface PoolProps {
  /** Memory of its executors in MB, 128 to 10,240. @default 256 */
  readonly memoryMb?: number;
  /** Time limit of its executors in seconds, 60 to 900. @default 900 */
  readonly timeoutSec?: number;
  /** Messages that an executor takes at once, 1 to 10. @default 10 */
  readonly batchSize?: number;
  /** Executors that may work at once. @default 40, 20, 20, 10 and 5 by priority, 10 for each other queue */
  readonly maxConcurrency?: MaxConcurrencyProps;
  /** Queues with pollers in place of `maxConcurrency`. @default none */
  readonly provisionedPollers?: Partial<Record<QueueName, PollersProps>>;
  /** Executions of one project in a second that the queues of their priorities get. @default 50 */
  readonly userSharePerSec?: number;
  /** Percent of the executors of a priority that slow calls of one project may hold, 1 to 100. @default 25 */
  readonly userLanePercent?: number;
  /** The VPC of its executors, which then have a role of their own. @default none */
  readonly vpc?: VpcProps;
  /** Networks in which `allowedPrivateHosts` may be, such as `10.0.0.0/16`; 1 to 20. @default none */
  readonly privateCidrs?: string[];
}

/** Where the executors of a pool run. Their subnets need a way to the services that they call. */
export interface VpcProps {
  /** Ids of 1 to 16 subnets. */
  readonly subnetIds: string[];
  /** Ids of 1 to 5 security groups. */
  readonly securityGroupIds: string[];
}

/** The bounds of each project. The API answers a request beyond them with 429. */
export interface QuotaProps {
  /** Jobs with a future occurrence, 1 to 100,000,000. @default 100_000 */
  readonly jobs?: number;
  /** Planned occurrences a minute over all jobs, 1 to 100,000,000. @default 100_000 */
  readonly firesPerMinute?: number;
  /** Bytes of the payloads of all jobs, 65,536 to 1,000,000,000,000. @default 1_000_000_000 */
  readonly payloadBytes?: number;
  /** Requests to the API, 1 to 100,000,000. @default 6_000 */
  readonly requestsPerMinute?: number;
  /** Jobs created, rescheduled or resumed, 1 to 100,000,000. @default 3_000 */
  readonly changesPerMinute?: number;
  /** Manual runs, and retries that a user asks for, 1 to 100,000,000. @default 1_000 */
  readonly runsPerMinute?: number;
  /** Heartbeats, results and log chunks of attempts, 1 to 100,000,000. @default 600_000 */
  readonly reportsPerMinute?: number;
  /** Runs of workflows under way at a time, 1 to 100,000,000. @default 10_000 */
  readonly liveRuns?: number;
  /** Bytes of log lines on a day in UTC, 65,536 to 1,000,000,000,000. @default 1_073_741_824 */
  readonly logBytesPerDay?: number;
  /** Bytes of log lines of one attempt, 65,536 to 5,242,880. @default 524_288 */
  readonly logBytesPerAttempt?: number;
  /** Bytes of rows that requests write on a day, 65,536 to 1,000,000,000,000. @default 10_737_418_240 */
  readonly writtenBytesPerDay?: number;
}

/** The bounds between which autoscaling moves, 1 to 40,000 requests a second each. */
export interface UnitsProps {
  /** What the table can always take. */
  readonly min: number;
  /** What it can take at most. */
  readonly max: number;
}

/** Requests a second that a provisioned table can take. */
export interface TableCapacityProps {
  /** Consistent reads of 4 KB. */
  readonly read: UnitsProps;
  /** Writes of 1 KB. */
  readonly write: UnitsProps;
}
