import type { Sampling } from '../core/contracts/otlp';
import type { QuotaLimits } from '../core/contracts/quotas';
import type { ApiRoute } from '../core/contracts/routes';
import type { Role } from '../core/contracts/roles';
import type { SignIn } from '../core/contracts/sign-in';
import type { StageDeps } from '../core/deps';
import type { Actor } from '../core/domain/actor';
import type { Identity } from '../core/domain/identity';
import type { TraceContext } from '../core/domain/trace';
import type { Rates } from '../core/quotas/rates';
import type { Usage } from '../core/quotas/usage';
import type { QueueAdmin } from '../core/queue/queue-admin';
import type { DeploymentSecret } from '../core/delivery/signing/deployment-secret';
import type { SealingKeys } from '../core/delivery/secrets/seal';
import type { SecretStore } from '../core/store/secret-store';
import type { ApiKeyStore } from '../core/store/api-key-store';
import type { AuditStore } from '../core/store/audit-store';
import type { CalendarStore } from '../core/store/calendar-store';
import type { ChangeStore } from '../core/store/change-store';
import type { BackfillStore } from '../core/store/backfill-store';
import type { EndsJournal } from '../core/store/ends-journal';
import type { RunLabelStore } from '../core/store/run-label-store';
import type { FailureAckStore } from '../core/store/failure-ack-store';
import type { DebounceStore } from '../core/store/debounce-store';
import type { LogStore } from '../core/store/log-store';
import type { NotificationStore } from '../core/store/notification-store';
import type { PingKeyStore } from '../core/store/ping-key-store';
import type { RunKeyStore } from '../core/store/run-key-store';
import type { RequestKeyStore } from '../core/store/request-key-store';
import type { UsageStore } from '../core/store/usage-store';
import type { UserStore } from '../core/store/user-store';
import type { UsesStore } from '../core/store/uses-store';
import type { WrittenBytes } from '../core/store/written-bytes';
import type { AwsPolicy } from '../core/delivery/aws-policy';
import type { EmailSubscriptions } from '../core/delivery/email-subscriptions';
import type { PrivateSettings } from '../core/contracts/target-resources';
import type { TargetPolicy } from '../core/delivery/addresses';
import type { Resolve } from '../core/delivery/checked-lookup';

/** A request as the operations see it. They know neither API Gateway nor Lambda. */
export interface ApiRequest {
  /** The route that the request came by: it names the operation, and the scope that the token needs. */
  route: ApiRoute;
  /** Identifies the request in the log, and in a problem's `instance`. */
  requestId: string;
  /** What the client called: its scheme and host. Absent: a caller inside the deployment. */
  origin?: string | undefined;
  /** Owner of all that the request reads and changes; `''` on routes without a token. */
  project: string;
  /** Who sends the request. `sub` is `''` on routes without a token. */
  by: Actor;
  /** What the token proves; null on routes without a token. */
  identity: Identity | null;
  /** The role in the project; null on routes without a project. */
  role: Role | null;
  /** Those that both the role and the token have. On routes without a project, those of the token. */
  scopes: ReadonlySet<string>;
  /** Path parameters, decoded. */
  params: Readonly<Record<string, string | undefined>>;
  /** Query parameters, decoded, in the order given. */
  query: ReadonlyMap<string, readonly string[]>;
  /** Names in lower case. */
  headers: Readonly<Record<string, string | undefined>>;
  body?: string | Uint8Array;
  /**
   * Its trace context, for one more execution that joins it. Undefined if it has none, or an invalid one.
   * That is no error, because libraries add the headers without being asked.
   */
  trace?(): Promise<TraceContext | undefined>;
  /** When the gateway received it. It may have waited for a process since. Absent: now. */
  receivedAtMs?: number | undefined;
}

export interface ApiResponse {
  status: number;
  /** Names in lower case. `resultOf` adds the headers that every response has. */
  headers?: Record<string, string>;
  /** JSON; absent: no body. */
  body?: unknown;
}

export interface ApiSettings {
  targetPolicy: TargetPolicy;
  awsTargets: AwsPolicy;
  /** The only hosts that HTTP targets may have; absent or empty: any host. */
  allowedTargetHosts?: readonly string[];
  /** Whether projects' legacy secrets sign along with the secrets of hosts. Absent: they do. */
  legacySigning?: boolean;
  /** Private hosts of projects, and the networks of pools in a VPC. Absent: there is no such pool. */
  privateHosts?: PrivateSettings;
  /** Pools that this deployment has. */
  pools: readonly string[];
  /** Whether the deployment keeps the journal of ends. Absent: it does not. */
  journal?: boolean;
  /** How programs sign users in; absent or null: the stage does not say. */
  signIn?: SignIn | null;
}

/** What the API tells about the deployment. */
export interface Deployment {
  stage: string;
  /** The version of the code. */
  version: string;
  /** Limits of each project. */
  quotas: QuotaLimits;
  /** URL of its dashboard, or a path at the origin of the API. */
  dashboardUrl: string;
}

/** Turns the tick, and with it all planned work, on and off. */
interface TickSwitch {
  state(): Promise<'on' | 'off'>;
  set(to: 'on' | 'off'): Promise<void>;
}

/** Bounds what each project has. */
export interface Quotas {
  /** Counts a change before it is made. Throws `ProblemError` 429 if the change exceeds a quota. */
  charge(project: string, change: Usage): Promise<void>;
  /**
   * Throws `ProblemError` 429 if the change would exceed a quota. Counts nothing. Returns what is used now.
   */
  check(project: string, change: Usage): Promise<{ used: Usage; bounds: Usage }>;
  /** Takes back what was counted, if the change was not made after all or the job is deleted. */
  giveBack(project: string, change: Usage): Promise<void>;
  /**
   * Counts `count` more of this minute (default 1): all or none. Throws `ProblemError` 429 if the quota of
   * the minute has no room for them.
   */
  chargeRate(project: string, rate: keyof Rates, count?: number): Promise<void>;
}

export interface ApiDeps extends StageDeps {
  /** Which traces are recorded. Absent or null: none. */
  sampling?: Sampling | null;
  /** Counts one more execution that joins a recorded trace. False: it is not recorded. Absent: all are. */
  mayRecord?: (project: string) => boolean;
  users: UserStore;
  usage: UsageStore;
  requestKeys: RequestKeyStore;
  debounces: DebounceStore;
  runKeys: RunKeyStore;
  backfills: BackfillStore;
  apiKeys: ApiKeyStore;
  pingKeys: PingKeyStore;
  audit: AuditStore;
  failureAcks: FailureAckStore;
  changes: ChangeStore;
  quotas: Quotas;
  written: WrittenBytes;
  secret: DeploymentSecret;
  secrets: SecretStore;
  uses: UsesStore;
  calendars: CalendarStore;
  notifications: NotificationStore;
  logs: LogStore;
  journal: EndsJournal;
  runLabels: RunLabelStore;
  emails: EmailSubscriptions;
  /** Seal and open the secrets of projects. */
  sealingKeys: SealingKeys;
  deployment: Deployment;
  settings: ApiSettings;
  /** Resolves host names of targets. Gives up before a client of the API would. */
  resolve: Resolve;
  tickSwitch: TickSwitch;
  queues: QueueAdmin;
  /** CPU time of this process, in milliseconds from an arbitrary origin. */
  cpuMs(): number;
}

/** One operation of the API. Throws `ProblemError` for every error that the client can correct. */
export type OperationHandler = (request: ApiRequest, deps: ApiDeps) => Promise<ApiResponse>;
