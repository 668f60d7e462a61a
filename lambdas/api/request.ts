import type { Operation } from '../core/contracts/routes';
import type { StageDeps } from '../core/deps';
import type { Usage } from '../core/quotas/usage';
import type { DeploymentSecret } from '../core/delivery/signing/deployment-secret';
import type { RequestKeyStore } from '../core/store/request-key-store';
import type { UserStore } from '../core/store/user-store';
import type { AwsPolicy } from '../core/delivery/aws-policy';
import type { TargetPolicy } from '../core/delivery/addresses';
import type { Resolve } from '../core/delivery/checked-lookup';

/** A request as the operations see it, whoever carried it here. */
export interface ApiRequest {
  operation: Operation;
  /** Names the request in the log, and in a problem's `instance`. */
  requestId: string;
  /** The verified token's subject; `''` on routes without a token. */
  userId: string;
  scopes: ReadonlySet<string>;
  /** Path parameters, decoded. */
  params: Readonly<Record<string, string | undefined>>;
  /** Query parameters, decoded, in the order given. */
  query: ReadonlyMap<string, readonly string[]>;
  /** Names in lower case. */
  headers: Readonly<Record<string, string | undefined>>;
  body?: string | Uint8Array;
}

export interface ApiResponse {
  status: number;
  /** Names in lower case; what belongs to every answer is added by whoever carries it. */
  headers?: Record<string, string>;
  /** JSON; absent: no body. */
  body?: unknown;
}

export interface ApiSettings {
  targetPolicy: TargetPolicy;
  awsTargets: AwsPolicy;
  /** Hosts that targets may be called at; none: any. */
  allowedTargetHosts?: readonly string[];
  /** Pools that this deployment has. */
  pools: readonly string[];
}

/** What turns the tick, and with it all planned work, on and off. */
export interface TickSwitch {
  state(): Promise<'on' | 'off'>;
  set(to: 'on' | 'off'): Promise<void>;
}

/** What each user may have. */
export interface Quotas {
  /** Counts a change before it is made. Throws `ProblemError` 429 where it would take more than is left. */
  charge(userId: string, change: Usage): Promise<void>;
  /** Takes back what was counted: for a change that was not made after all, or a job that is gone. */
  giveBack(userId: string, change: Usage): Promise<void>;
}

export interface ApiDeps extends StageDeps {
  users: UserStore;
  requestKeys: RequestKeyStore;
  quotas: Quotas;
  secret: DeploymentSecret;
  settings: ApiSettings;
  /** Names of targets; gives up by itself before a client would. */
  resolve: Resolve;
  tickSwitch: TickSwitch;
}

/** One call of the API. Throws `ProblemError` for whatever is the client's to mend. */
export type OperationHandler = (request: ApiRequest, deps: ApiDeps) => Promise<ApiResponse>;
