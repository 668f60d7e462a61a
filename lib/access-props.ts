// Who may use a deployment, and under which role it calls targets.

/** An action of AWS that targets may call. */
export interface AllowedActionProps {
  /** The service and the operation, such as `kinesis:PutRecord`. */
  readonly action: string;
  /** ARNs, as IAM reads them; `*` alone for an action that knows no resources. */
  readonly resources: string[];
  /** ARNs of roles that a call may hand to the service. @default none */
  readonly passRoles?: string[];
}

/** What targets may call with a signature of AWS. */
export interface SignedCallProps {
  /** The service that checks the signature. */
  readonly service: 'execute-api' | 'lambda' | 'vpc-lattice-svcs' | 'es' | 'aoss' | 'appsync';
  /** ARNs that may be called; `*` in their names matches any text. */
  readonly resources: string[];
  /** Domains of yours that lead to the service, such as `api.example.com`. @default none */
  readonly hosts?: string[];
}

/** An AWS role that the executor assumes to call targets. */
export interface TargetRoleProps {
  /** ARN of the role. Its trust policy has to let the executor in. */
  readonly roleArn: string;
  /** What STS passes to the role's trust policy. @default 'quarterjack/{project}' */
  readonly externalId?: string;
}

/** A program that gets tokens by client credentials. */
export interface MachineClientProps {
  /** The only project of its tokens. */
  readonly project: string;
  /** What its tokens may do there. */
  readonly role: 'viewer' | 'approver' | 'worker' | 'operator' | 'editor' | 'owner';
  /** `client_id` in its tokens, with `issuer`. @default its name */
  readonly clientId?: string;
}

/** How programs sign users in with an issuer of your own: a public client for the code flow with PKCE. */
export interface SignInProps {
  /** The client that the issuer knows. */
  readonly clientId: string;
  /** The client of the console. @default that of `clientId` */
  readonly consoleClientId?: string;
  /** Where users sign in: an https URL. */
  readonly authorizationEndpoint: string;
  /** Where a code becomes tokens: an https URL. */
  readonly tokenEndpoint: string;
  /** The scopes to ask for; `openid` is needed. */
  readonly scopes: string[];
}

/** How deliveries are signed, beside the secret of each host. */
export interface SigningProps {
  /** Whether the legacy secret of a project signs along. @default true */
  readonly legacy?: boolean;
}

/** Which projects a token may use. */
export interface ProjectsProps {
  /**
   * `sub`: each user has a project alone. `claim:<name>`: the claim's value is the project. `groups`: groups
   * named `project:<name>:<role>` give a role in a project.
   */
  readonly from: string;
  /** The claim that lists the groups, with `groups`. @default 'cognito:groups' */
  readonly groupsClaim?: string;
}

/** A domain of yours for the API and the console. */
export interface DomainProps {
  /** Host in lower case, such as `jobs.example.com`. */
  readonly name: string;
  /** ARN of its certificate in ACM, in the region of the stack. */
  readonly certificateArn: string;
  /** Whether links and callbacks have its name: false until its DNS record exists. @default true */
  readonly inUse?: boolean;
}

/** Where the spans of executions are sent, by OTLP, and of which executions. */
export interface OtlpProps {
  /** Base URL of a collector, such as `https://otel.example.com`. */
  readonly endpoint: string;
  /** ARN of a secret with the headers of its requests, as a JSON object. @default no headers */
  readonly headersSecretArn?: string;
  /** The share of traces that begin here, and are recorded, 0 to 1. @default 0 */
  readonly sampleRatio?: number;
  /** Executions of a project that may join a recorded trace, in a minute and process. @default 60 */
  readonly maxSampledPerMinute?: number;
  /** `service.name` of the spans. @default 'quarterjack' */
  readonly serviceName?: string;
  /** Projects whose executions have spans. @default all */
  readonly projects?: string[];
}

/** A role in a project that a function can have. */
export type FunctionRole = 'viewer' | 'worker' | 'operator' | 'editor';

/** Options of `grantManageJobs`. */
export interface ManageJobsOptions {
  /** The only project that the key opens. @default the project of the deployment */
  readonly project?: string;
  /** What the function may do there. @default 'editor' */
  readonly role?: FunctionRole;
  /** Another number makes another key, and revokes this one. @default 1 */
  readonly keyVersion?: number;
}

/** Where what has ended is exported. */
export interface HistoryExportProps {
  /** The name of a bucket of yours, in the region of the deployment. */
  readonly bucket: string;
  /** Folders that the names of all objects begin with, such as `jobs/prod/`. @default none */
  readonly prefix?: string;
  /** `project`: a folder for each project, above the day. @default 'none' */
  readonly partitionBy?: 'none' | 'project';
  /** Columns that may have what is confidential. @default none */
  readonly include?: ('payload' | 'output')[];
}
