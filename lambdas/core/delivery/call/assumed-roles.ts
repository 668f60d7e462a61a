import { createHash } from 'node:crypto';

import { type Clock, MINUTE_MS, SECOND_MS } from '../../clock/clock';
import { sessionPolicyOf, type SessionRight } from '../../contracts/session-rights';
import { roleOf, type TargetRole, type TargetRoles } from '../../contracts/target-resources';

/** As the AWS SDK takes them. */
export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken: string;
  expiration: Date;
}

/** A role as one project assumes it. */
export interface AssumedRole {
  /** Different for each role, project and policy. */
  id: string;
  /** The credentials of the project's session, which are cached. */
  credentials: () => Promise<Credentials>;
}

/** What STS is asked for. */
interface SessionRequest {
  RoleArn: string;
  /** Absent: the role is the deployment's own, and trusts its executor alone. */
  ExternalId?: string;
  RoleSessionName: string;
  DurationSeconds: number;
  /** Absent: the session may do what the role may. */
  Policy?: string;
}
export type AssumeRole = (request: SessionRequest) => Promise<Credentials>;

/** The longest session of a role that another role assumes. */
const SESSION_SEC = 3_600;
/** The SDK asks again from five minutes before the end on, so the answer must then be a new session. */
const RENEW_BEFORE_MS = 6 * MINUTE_MS;
const MAX_SESSIONS = 1_000;
const MAX_SESSION_NAME = 64;
const SESSION_PREFIX = 'quarterjack-';

interface SessionDeps {
  clock: Pick<Clock, 'nowMs'>;
  assume?: AssumeRole;
}

/**
 * The role to call a project's targets under; undefined for a project without one. Each project has a session
 * of its own. Calls that come while a session begins share it. A failure is not cached.
 */
export function assumedRoles(
  roles: TargetRoles,
  deps: SessionDeps,
): (project: string) => AssumedRole | undefined {
  const credentialsOf = sessions(deps);
  return (project) => {
    const role = roleOf(roles, project);
    if (!role) return undefined;
    const id = `${role.roleArn} ${encodeURIComponent(project)}`;
    return { id, credentials: () => credentialsOf(id, requestOf(role, project)) };
  };
}

/** The role for calls that may do exactly this; undefined if no role of the deployment may do anything. */
export type BoundRoleFor = (project: string, rights: readonly SessionRight[]) => AssumedRole | undefined;

/**
 * As `assumedRoles`, for calls that no role of a function may make: under the role of the project, else under
 * the deployment's role for actions. Either way the session may do no more than is asked for. So a project
 * gains nothing by what another project may do under the same role.
 *
 * @param actionsRoleArn empty: the deployment has no such role
 */
export function boundRoles(roles: TargetRoles, actionsRoleArn: string, deps: SessionDeps): BoundRoleFor {
  const credentialsOf = sessions(deps);
  return (project, rights) => {
    const role = roleOf(roles, project);
    if (!role && actionsRoleArn === '') return undefined;
    const Policy = sessionPolicyOf(rights);
    const request = role ? requestOf(role, project) : { ...commonOf(project), RoleArn: actionsRoleArn };
    const bound = createHash('sha256').update(Policy).digest('base64url');
    const id = `${request.RoleArn} ${encodeURIComponent(project)} ${bound}`;
    return { id, credentials: () => credentialsOf(id, { ...request, Policy }) };
  };
}

/** Begins sessions, and keeps each until a little before its end. */
function sessions({ clock, assume = assumeBySts }: SessionDeps) {
  const known = new Map<string, Promise<Credentials>>();
  return async (id: string, request: SessionRequest): Promise<Credentials> => {
    const last = known.get(id);
    if (last) {
      const credentials = await last;
      if (credentials.expiration.getTime() - clock.nowMs() > RENEW_BEFORE_MS) return credentials;
    }
    // Another call may have begun a session in the meantime.
    const newer = known.get(id);
    if (newer !== last && newer) return newer;
    if (known.size >= MAX_SESSIONS) known.clear();
    const begun = assume(request).catch((error: unknown) => {
      if (known.get(id) === begun) known.delete(id);
      throw withoutNames(error);
    });
    known.set(id, begun);
    return begun;
  };
}

const requestOf = ({ roleArn, externalId }: TargetRole, project: string): SessionRequest => ({
  ...commonOf(project),
  RoleArn: roleArn,
  ExternalId: externalId.replaceAll('{project}', () => stsTextOf(project)),
});

const commonOf = (project: string): Omit<SessionRequest, 'RoleArn'> => ({
  RoleSessionName: sessionNameOf(project),
  DurationSeconds: SESSION_SEC,
});

/**
 * A project in the characters that STS allows. Letters, digits, `.`, `_` and `-` stay; each other byte in
 * UTF-8 becomes `=` and two hexadecimal digits. No two projects have the same text.
 */
export const stsTextOf = (project: string): string =>
  encodeURIComponent(project)
    .replace(/[!~*'()]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%', '=');

/**
 * A failure of STS as the project's history shows it. STS names the operator's roles, which a project need
 * not know.
 */
const withoutNames = (error: unknown): Error =>
  Object.assign(new Error('the role of the project cannot be assumed', { cause: error }), {
    name: (error as Error).name,
    $metadata: (error as { $metadata?: object }).$metadata,
  });

/** A name that is too long is a hash, behind two `=`, which no other name contains. */
function sessionNameOf(project: string): string {
  const name = `${SESSION_PREFIX}${stsTextOf(project)}`;
  if (name.length <= MAX_SESSION_NAME) return name;
  return `${SESSION_PREFIX}==${createHash('sha256').update(project).digest('hex').slice(0, 40)}`;
}

/** The client is loaded with the first role: most deployments have none. */
async function assumeBySts(request: SessionRequest): Promise<Credentials> {
  const { AssumeRoleCommand, STSClient } = await import('@aws-sdk/client-sts');
  const agent = { keepAlive: false };
  const client = new STSClient({
    maxAttempts: 2,
    requestHandler: {
      connectionTimeout: 3 * SECOND_MS,
      requestTimeout: 5 * SECOND_MS,
      throwOnRequestTimeout: true,
      httpAgent: agent,
      httpsAgent: agent,
    },
  });
  const { Credentials: given } = await client.send(new AssumeRoleCommand(request));
  const { AccessKeyId = '', SecretAccessKey = '', SessionToken = '', Expiration } = given ?? {};
  if (!Expiration) throw new Error(`STS answered without credentials for ${request.RoleArn}`);
  return {
    accessKeyId: AccessKeyId,
    secretAccessKey: SecretAccessKey,
    sessionToken: SessionToken,
    expiration: Expiration,
  };
}
