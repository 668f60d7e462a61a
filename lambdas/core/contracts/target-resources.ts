/** How AWS names the resource of a target, and what the executor's role needs to deliver to it. */
export interface TargetResource {
  /** Service in the resource's ARN. */
  readonly service: string;
  /** What the resource part of the ARN begins with, before the name. */
  readonly prefix: string;
  /** The one IAM action that a delivery needs. */
  readonly action: string;
}

/** The key of what applies to all projects, in objects by project. */
export const EVERY_PROJECT = '*';

/**
 * The entries for the ARNs that a project's targets may have. IAM gets them too, and reads them so: `*`
 * matches any text, a colon included, and every other character only itself.
 */
export type AllowedArns = Readonly<Record<string, readonly string[]>>;

/** The hosts that HTTP targets may have: those of the configuration, and the API's own. None: any. */
export const hostsWithOwn = (configured: readonly string[], ownHost: string): readonly string[] =>
  configured.length === 0 ? [] : [...configured, ownHost];

/** What either of two allows, by project. */
export function eitherAllows<Value>(
  one: Readonly<Record<string, readonly Value[]>>,
  other: Readonly<Record<string, readonly Value[]>>,
): Readonly<Record<string, readonly Value[]>> {
  const projects = new Set([...Object.keys(one), ...Object.keys(other)]);
  const allowed = (project: string) => [
    ...(ownEntry(one, project) ?? []),
    ...(ownEntry(other, project) ?? []),
  ];
  return Object.fromEntries([...projects].map((project) => [project, allowed(project)]));
}

const ANY_QUALIFIER = '{,:*}';

/** A function with all its versions and aliases: two entries, in the room of one in an environment. */
export const withQualifiers = (functionArn: string): string => `${functionArn}${ANY_QUALIFIER}`;

/** The entries that a text means: two for what `withQualifiers` gives, else the text itself. */
export function entriesOf(text: string): string[] {
  if (!text.endsWith(ANY_QUALIFIER)) return [text];
  const arn = text.slice(0, -ANY_QUALIFIER.length);
  return [arn, `${arn}:*`];
}

/**
 * What a pool in a VPC may call besides public hosts: private hosts of a project, at addresses in the pool's
 * networks.
 */
export interface PrivateReach {
  /** Names or addresses; `*.corp.example` is all hosts below that. */
  readonly hosts: readonly string[];
  /** In CIDR notation. */
  readonly networks: readonly string[];
}

/** The networks of each pool in a VPC, and the private hosts of each project. */
export interface PrivateSettings {
  networks: Readonly<Record<string, readonly string[]>>;
  hosts: Readonly<Record<string, readonly string[]>>;
}

/** What a pool may call for a project; undefined if it is in no VPC, or the project has no such host. */
export function privateAccessOf(
  { networks, hosts }: PrivateSettings,
  pool: string,
  project: string,
): PrivateReach | undefined {
  const ofPool = ownEntry(networks, pool);
  const ofProject = privateHostsOf(hosts, project);
  return ofPool && ofProject.length > 0 ? { hosts: ofProject, networks: ofPool } : undefined;
}

/** The private hosts of a project, and those of all projects. */
export const privateHostsOf = (
  hosts: Readonly<Record<string, readonly string[]>>,
  project: string,
): readonly string[] => [...(ownEntry(hosts, project) ?? []), ...(hosts[EVERY_PROJECT] ?? [])];

/** A role that the executor assumes to call the targets of a project. */
export interface TargetRole {
  roleArn: string;
  /** `{project}` in it becomes the name of the project. */
  externalId: string;
}
export type TargetRoles = Readonly<Record<string, TargetRole>>;

/** A project's own entry in an object by project. A project may have any name, `constructor` included. */
export const ownEntry = <Value>(
  byProject: Readonly<Record<string, Value>>,
  project: string,
): Value | undefined => (Object.hasOwn(byProject, project) ? byProject[project] : undefined);

/** The role of a project: its own, else that of all projects; undefined: the executor's own role. */
export const roleOf = (roles: TargetRoles, project: string): TargetRole | undefined =>
  ownEntry(roles, project) ?? roles[EVERY_PROJECT];

/**
 * The AWS target types. `lib/` makes the executor's permissions and the check of `allowedTargetArns` from
 * them; `delivery/targets/` reads ARNs by them.
 */
export const TARGET_RESOURCES = {
  lambda: { service: 'lambda', prefix: 'function:', action: 'lambda:InvokeFunction' },
  sqs: { service: 'sqs', prefix: '', action: 'sqs:SendMessage' },
  sns: { service: 'sns', prefix: '', action: 'sns:Publish' },
  eventbridge: { service: 'events', prefix: 'event-bus/', action: 'events:PutEvents' },
  stepfunctions: { service: 'states', prefix: 'stateMachine:', action: 'states:StartExecution' },
  ecs: { service: 'ecs', prefix: 'task-definition/', action: 'ecs:RunTask' },
  batch: { service: 'batch', prefix: 'job-definition/', action: 'batch:SubmitJob' },
  glue: { service: 'glue', prefix: 'job/', action: 'glue:StartJobRun' },
  codebuild: { service: 'codebuild', prefix: 'project/', action: 'codebuild:StartBuild' },
} as const satisfies Readonly<Record<string, TargetResource>>;

/** Where the work of a target is done, for types whose targets name that too. It is allowed as they are. */
export const RUNS_IN = {
  ecs: { service: 'ecs', prefix: 'cluster/' },
  batch: { service: 'batch', prefix: 'job-queue/' },
} as const satisfies Readonly<Record<string, Omit<TargetResource, 'action'>>>;

/** Whether an ARN, or an entry for ARNs, is of such a resource. */
export const isResource = ({ service, prefix }: Omit<TargetResource, 'action'>, arn: string): boolean => {
  const [, , of, , , ...rest] = arn.split(':');
  return of === service && rest.join(':').startsWith(prefix);
};

const NAMED = [...Object.values(TARGET_RESOURCES), ...Object.values(RUNS_IN)];
/** Versions and aliases of functions, and revisions of definitions, follow on a colon. */
const VERSIONED: readonly string[] = [
  TARGET_RESOURCES.lambda.service,
  TARGET_RESOURCES.ecs.service,
  TARGET_RESOURCES.batch.service,
];

/** The name in an ARN or entry of such a type, without a version, alias or revision. */
export function resourceNameIn(arn: string): string {
  const [, , service = '', , , ...rest] = arn.split(':');
  const { prefix } = NAMED.find((one) => isResource(one, arn))!;
  const name = rest.join(':').slice(prefix.length);
  return VERSIONED.includes(service) ? name.split(':', 1)[0]! : name;
}

/** What the names of errands begin with, in every deployment. Permissions and rules know no more of them. */
export const ERRAND_PREFIX = 'qj-';

/** How a service that checks signatures of AWS names its hosts, and what its callers need. */
interface SigningService {
  /** Matches the hosts of a region, given as a part of a regular expression. */
  readonly hosts: (region: string) => RegExp;
  /** What IAM asks for. */
  readonly actions: readonly string[];
}

const SUFFIX = String.raw`\.amazonaws\.com(?:\.cn)?$`;
const LABELS = String.raw`^(?:[a-z0-9-]+\.)+`;
const ON_AWS = String.raw`\.on\.aws$`;

/**
 * The services that targets may be signed for. Those of AWS's own APIs, such as STS and IAM, are none: what a
 * signature for them allows is no webhook.
 */
export const SIGNING_SERVICES = {
  'execute-api': {
    hosts: (region) => new RegExp(`${LABELS}execute-api\\.${region}${SUFFIX}`),
    actions: ['execute-api:Invoke'],
  },
  lambda: {
    hosts: (region) => new RegExp(`${LABELS}lambda-url\\.${region}${ON_AWS}`),
    actions: ['lambda:InvokeFunctionUrl', 'lambda:InvokeFunction'],
  },
  'vpc-lattice-svcs': {
    hosts: (region) => new RegExp(`${LABELS}vpc-lattice-svcs\\.${region}${ON_AWS}`),
    actions: ['vpc-lattice-svcs:Invoke'],
  },
  es: {
    hosts: (region) => new RegExp(`${LABELS}(?:${region}\\.es${SUFFIX}|aos\\.${region}${ON_AWS})`),
    actions: ['Delete', 'Get', 'Head', 'Patch', 'Post', 'Put'].map((method) => `es:ESHttp${method}`),
  },
  aoss: {
    hosts: (region) => new RegExp(`${LABELS}(?:${region}\\.aoss${SUFFIX}|aoss\\.${region}${ON_AWS})`),
    actions: ['aoss:APIAccessAll'],
  },
  appsync: {
    hosts: (region) => new RegExp(`${LABELS}appsync-api\\.${region}${SUFFIX}`),
    actions: ['appsync:GraphQL'],
  },
} as const satisfies Readonly<Record<string, SigningService>>;
export type SignedService = keyof typeof SIGNING_SERVICES;
export const SIGNED_SERVICES = Object.keys(SIGNING_SERVICES) as [SignedService, ...SignedService[]];

/** What a project may call with a signature. */
export interface SignedCall {
  readonly service: SignedService;
  /** ARNs, as IAM reads them. */
  readonly resources: readonly string[];
  /** Domains of the operator that lead to the service. */
  readonly hosts?: readonly string[] | undefined;
}
export type SignedCalls = Readonly<Record<string, readonly SignedCall[]>>;

/** What a project may call of a service, with what all projects may. */
export const signedCallsOf = (all: SignedCalls, project: string, service: SignedService): SignedCall[] =>
  [...(ownEntry(all, project) ?? []), ...(all[EVERY_PROJECT] ?? [])].filter((one) => one.service === service);

/** Whether a signature for a service may go to a host: another one could use it for some minutes. */
export const isSignedHost = (
  host: string,
  { service, region }: { service: SignedService; region: string },
  calls: readonly SignedCall[],
): boolean =>
  SIGNING_SERVICES[service].hosts(region).test(host) || calls.some(({ hosts = [] }) => hosts.includes(host));
