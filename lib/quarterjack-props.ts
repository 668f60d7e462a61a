/** An AWS role that the executor assumes to call targets. */
export interface TargetRoleProps {
  readonly roleArn: string;
  /** What STS passes to the role's trust policy. @default 'quarterjack/{project}' */
  readonly externalId?: string;
}

/**
 * The two executor functions of a pool: for long calls, and for all others. What a pool leaves out is as in
 * the pool `default`.
 */
export interface PoolProps {
  /** Memory of its executors in MB, 128 to 10,240. */
  readonly memoryMb?: number;
  /** Time limit of its executors in seconds, 60 to 900. */
  readonly timeoutSec?: number;
  /** Messages that an executor takes at once, 1 to 10. @default 10 */
  readonly batchSize?: number;
  /** Executors that may work at once, 2 to 1,000 for each. It must not rise from `highest` to `lowest`. */
  readonly maxConcurrency?: {
    readonly highest: number;
    readonly high: number;
    readonly medium: number;
    readonly low: number;
    readonly lowest: number;
    readonly overflow: number;
    /** For calls that may take more than 30 s. @default that of `overflow` */
    readonly long?: number;
  };
  /**
   * Queues, by priority, whose event pollers AWS keeps ready. `min` is 2 to 200 and `max` 2 to 2,000; each
   * allows ten executors at once, in place of `maxConcurrency`. @default none
   */
  readonly provisionedPollers?: Partial<
    Record<
      'highest' | 'high' | 'medium' | 'low' | 'lowest' | 'overflow' | 'long',
      { readonly min: number; readonly max: number }
    >
  >;
  /** Executions of one project in a second that the queues of their priorities get. */
  readonly userSharePerSec?: number;
  /** Percent of the executors of a priority that slow calls of one project may hold, 1 to 100. @default 25 */
  readonly userLanePercent?: number;
}

/** The bounds of each user. */
export interface QuotaProps {
  readonly jobs?: number;
  readonly firesPerMinute?: number;
  readonly payloadBytes?: number;
  readonly requestsPerMinute?: number;
  readonly changesPerMinute?: number;
  readonly runsPerMinute?: number;
  readonly reportsPerMinute?: number;
  readonly liveRuns?: number;
  readonly logBytesPerDay?: number;
  readonly logBytesPerAttempt?: number;
  readonly writtenBytesPerDay?: number;
}

/** A program that gets tokens by client credentials. */
export interface MachineClientProps {
  readonly project: string;
  readonly role: 'viewer' | 'approver' | 'worker' | 'operator' | 'editor' | 'owner';
  /** `client_id` in its tokens, with `issuer`. @default its name */
  readonly clientId?: string;
}

/** How programs sign users in with an issuer of your own. */
export interface SignInProps {
  readonly clientId: string;
  readonly consoleClientId?: string;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly scopes: string[];
}

/** Requests per second that a provisioned table can take, from `min` to `max`. */
export interface TableCapacityProps {
  readonly read: { readonly min: number; readonly max: number };
  readonly write: { readonly min: number; readonly max: number };
}

/**
 * Configuration of a deployment. `docs/configuration.md` explains every field. What is left out has the value
 * of the stage `dev`. Values must be literal, not references to other resources.
 */
export interface QuarterjackProps {
  /** Name that `GET /v1/me` shows: at most 12 of `a-z`, `0-9` and `-`. @default 'app' */
  readonly stage?: string;
  /** Project of scheduled jobs and functions that name none. @default 'app' */
  readonly project?: string;
  readonly shardCount?: number;
  readonly horizonSec?: number;
  readonly leadMs?: number;
  readonly retentionDays?: number;
  readonly billing?: 'onDemand' | 'provisioned';
  readonly capacity?: Record<'jobs' | 'executions' | 'schedule', TableCapacityProps>;
  readonly logRetentionDays?: number;
  readonly targetPolicy?: 'public' | 'loopback';
  readonly allowedTargetHosts?: string[];
  readonly allowedTargetArns?: string[] | Record<string, string[]>;
  readonly assumeRole?: TargetRoleProps | Record<string, TargetRoleProps>;
  readonly signing?: { readonly legacy?: boolean };
  readonly issuer?: string;
  readonly audience?: string[];
  readonly jwksUri?: string;
  readonly projects?: { readonly from: string; readonly groupsClaim?: string };
  readonly signIn?: SignInProps;
  readonly machineClients?: Record<string, MachineClientProps>;
  readonly console?: boolean;
  readonly domain?: {
    readonly name: string;
    readonly certificateArn: string;
    /** False until its DNS record exists. @default true */
    readonly inUse?: boolean;
  };
  readonly callbackUrls?: string[];
  readonly requestsPerSec?: number;
  readonly requestBurst?: number;
  readonly quotas?: QuotaProps;
  /** Up to five, by names of at most 10 of `a-z` and `0-9`. There is always one named `default`. */
  readonly pools?: Readonly<Record<string, PoolProps>>;
  readonly reservedConcurrency?: Record<string, number>;
  readonly executorShift?: 'all-at-once' | 'canary' | 'linear';
  readonly alarmDestination?: string;
  readonly alarms?: 'essential' | 'all';
  readonly alarmTopicKey?: boolean;
  readonly tracing?: boolean;
  readonly runbookUrl?: string;
  readonly metricsByPriority?: boolean;
  readonly lifecycleEvents?: 'failures' | 'all' | 'off';
  /** What happens to tables, secret and user pool when the stack is deleted. @default 'retain' */
  readonly removal?: 'protect' | 'retain' | 'destroy';
  /**
   * Folder with one folder per function, each holding its bundle.
   *
   * @default the bundles of this package
   */
  readonly bundlesDir?: string;
}

/** A role in a project that a function can have. */
export type FunctionRole = 'viewer' | 'worker' | 'operator' | 'editor';

/** Options of `grantManageJobs`. */
export interface ManageJobsOptions {
  /** @default the project of the deployment */
  readonly project?: string;
  /** @default 'editor' */
  readonly role?: FunctionRole;
  /** Another number makes another key, and revokes this one. @default 1 */
  readonly keyVersion?: number;
}

/** Options of `addLambdaTarget` and `addQueueTarget`. */
export interface AddTargetOptions {
  /** The only project whose jobs may call it. @default all projects */
  readonly project?: string;
}
