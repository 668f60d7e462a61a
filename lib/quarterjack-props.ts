import type {
  AllowedActionProps,
  DomainProps,
  MachineClientProps,
  HistoryExportProps,
  OtlpProps,
  ProjectsProps,
  SignedCallProps,
  SigningProps,
  SignInProps,
  TargetRoleProps,
} from './access-props';
import type { ErrandsProps } from './errand-props';
import type { PoolProps, QuotaProps, TableCapacityProps } from './capacity-props';

/**
 * Configuration of a deployment. `docs/configuration.md` explains every field. What is left out has the value
 * of the stage `dev`. Values must be literal, not references to other resources.
 */
export interface QuarterjackProps {
  /** Name that `GET /v1/me` shows: at most 12 of `a-z`, `0-9` and `-`. @default 'app' */
  readonly stage?: string;
  /** Project of scheduled jobs and functions that name none. @default 'app' */
  readonly project?: string;
  /** Shards of the table of due times, 1 to 256. It may be raised in place, never lowered. @default 4 */
  readonly shardCount?: number;
  /** How far ahead of their time entries are sent to the queues, in seconds, 120 to 720. @default 180 */
  readonly horizonSec?: number;
  /** How long before its time a message is to arrive, in milliseconds, 200 to 1,000. @default 300 */
  readonly leadMs?: number;
  /** `write`: due times that fall into one slot share a row, which saves writes. @default 'read' */
  readonly packs?: 'read' | 'write';
  /** Days that a finished execution stays readable, 2 to 3,650. @default 30 */
  readonly retentionDays?: number;
  /** How the tables are paid: for each request, or for `capacity` by the hour. @default 'onDemand' */
  readonly billing?: 'onDemand' | 'provisioned';
  /** The bounds of provisioned tables. @default none; required with `provisioned` */
  readonly capacity?: Record<'jobs' | 'executions' | 'schedule', TableCapacityProps>;
  /** Days that logs are kept: 1, 3, 5, 7, 14, 30, 60, 90, 180, 365 or 731. @default 14 */
  readonly logRetentionDays?: number;
  /** Which addresses HTTP targets may have; `loopback` is for the stage `local` alone. @default 'public' */
  readonly targetPolicy?: 'public' | 'loopback';
  /** Hosts that HTTP targets may have, such as `*.example.com`. @default any host */
  readonly allowedTargetHosts?: string[];
  /** What targets may call with a signature of AWS, for all projects or by project. @default nothing */
  readonly signedCalls?: SignedCallProps[] | Record<string, SignedCallProps[]>;
  /** Actions that targets of type `aws` may call, for all projects or by project. @default none */
  readonly allowedActions?: AllowedActionProps[] | Record<string, AllowedActionProps[]>;
  /** Private hosts that HTTP targets may have in pools with `privateCidrs`. @default none */
  readonly allowedPrivateHosts?: string[] | Record<string, string[]>;
  /** ARNs that AWS targets may have, for all projects or by project. @default those that the stack adds */
  readonly allowedTargetArns?: string[] | Record<string, string[]>;
  /** Role that AWS targets are called under, of all projects or by project. @default that of the executor */
  readonly assumeRole?: TargetRoleProps | Record<string, TargetRoleProps>;
  /** Which work is watched that attempts wait for, and its starts. @default none but state machines */
  readonly errands?: ErrandsProps;
  /** Whether the legacy secret of projects signs deliveries too. @default { legacy: true } */
  readonly signing?: SigningProps;
  /** OIDC issuer of the tokens: an https URL. @default a Cognito user pool of the stack */
  readonly issuer?: string;
  /** The `aud` of the issuer's tokens: any one of these. @default none; required with `issuer` */
  readonly audience?: string[];
  /** Where the issuer's keys are. @default what its discovery document says */
  readonly jwksUri?: string;
  /** Where the projects of a token come from. @default { from: 'sub' } */
  readonly projects?: ProjectsProps;
  /** How programs sign users in with `issuer`. @default users need a token from elsewhere */
  readonly signIn?: SignInProps;
  /** Programs with tokens of their own, by name; at most 12. @default none */
  readonly machineClients?: Record<string, MachineClientProps>;
  /** Whether the stack serves the web console. @default true */
  readonly console?: boolean;
  /** A domain of yours for API and console. @default the URL that AWS gives */
  readonly domain?: DomainProps;
  /** Where the user pool's page may send users back to. @default ['http://localhost:8788/callback'] */
  readonly callbackUrls?: string[];
  /** Origins of pages that may call the API from a browser, beside the console. @default none */
  readonly allowedOrigins?: string[];
  /** Requests a second to each route of the API, 1 to 10,000. @default 200 */
  readonly requestsPerSec?: number;
  /** Requests at once to the API, 1 to 5,000. @default 400 */
  readonly requestBurst?: number;
  /** The bounds of each project. @default those of `QuotaProps` */
  readonly quotas?: QuotaProps;
  /** Up to five, by names of at most 10 of `a-z` and `0-9`. @default one, named `default` */
  readonly pools?: Readonly<Record<string, PoolProps>>;
  /** Whether lanes have queues of their own, or all short calls of a pool share one. @default 'own' */
  readonly laneQueues?: 'own' | 'shared';
  /** Reserved concurrency of functions, such as `{ api: 50 }`, 1 to 10,000 each. @default {} */
  readonly reservedConcurrency?: Record<string, number>;
  /** How a new version of the executor takes over. @default 'all-at-once' */
  readonly executorShift?: 'all-at-once' | 'canary' | 'linear';
  /** Who receives alarms: an email address, or an https URL. @default no one */
  readonly alarmDestination?: string;
  /** Whether a job of the stack's own proves every five minutes that jobs run. @default true */
  readonly canary?: boolean;
  /** Whether there are saved queries of the logs. @default true */
  readonly logQueries?: boolean;
  /** Whether each function has a log group, or all of the pipeline one. @default 'own' */
  readonly logGroups?: 'own' | 'shared';
  /** What has billed alarms: what users notice, each promise, or causes too. @default 'essential' */
  readonly alarms?: 'fewest' | 'essential' | 'all';
  /** Whether messages of alarms are encrypted with a key of the stack, which is billed. @default false */
  readonly alarmTopicKey?: boolean;
  /** Whether X-Ray records traces, which are billed. @default false */
  readonly tracing?: boolean;
  /** URL of the runbook; alarms link to its sections. @default 'docs/runbook.md' */
  readonly runbookUrl?: string;
  /** Whether executions are also measured by pool and priority; each metric is billed. @default false */
  readonly metricsByPriority?: boolean;
  /** Which ends of executions are published on the event bus. @default 'failures' */
  readonly lifecycleEvents?: 'failures' | 'all' | 'off';
  /** Whether ends are kept by day, for lists and counts over any number of jobs. @default false */
  readonly journal?: boolean;
  /** Where spans of executions are sent, by OTLP. @default nowhere */
  readonly otlp?: OtlpProps;
  /** The bucket that gets a line about each execution that has ended. @default none */
  readonly historyExport?: HistoryExportProps;
  /** What happens to tables, secret and user pool when the stack is deleted. @default 'retain' */
  readonly removal?: 'protect' | 'retain' | 'destroy';
  /** Folder with one folder per function, each holding its bundle. @default the bundles of this package */
  readonly bundlesDir?: string;
}
