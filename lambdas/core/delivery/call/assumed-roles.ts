import { createHash } from 'node:crypto';

import { type Clock, MINUTE_MS, SECOND_MS } from '../../clock/clock';
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
  /** Different for each role and project. */
  id: string;
  /** The credentials of the project's session, which are cached. */
  credentials: () => Promise<Credentials>;
}

/** What STS is asked for. */
interface SessionRequest {
  RoleArn: string;
  ExternalId: string;
  RoleSessionName: string;
  DurationSeconds: number;
}
export type AssumeRole = (request: SessionRequest) => Promise<Credentials>;

/** The longest session of a role that another role assumes. */
const SESSION_SEC = 3_600;
/** The SDK asks again from five minutes before the end on, so the answer must then be a new session. */
const RENEW_BEFORE_MS = 6 * MINUTE_MS;
const MAX_SESSIONS = 1_000;
const MAX_SESSION_NAME = 64;
const SESSION_PREFIX = 'quarterjack-';

/**
 * The role to call a project's targets under; undefined for a project without one. Each project has a session
 * of its own. Calls that come while a session begins share it. A failure is not cached.
 */
export function assumedRoles(
  roles: TargetRoles,
  { clock, assume = assumeBySts }: { clock: Pick<Clock, 'nowMs'>; assume?: AssumeRole },
): (project: string) => AssumedRole | undefined {
  const sessions = new Map<string, Promise<Credentials>>();

  const credentialsOf = async (id: string, request: SessionRequest): Promise<Credentials> => {
    const known = sessions.get(id);
    if (known) {
      const credentials = await known;
      if (credentials.expiration.getTime() - clock.nowMs() > RENEW_BEFORE_MS) return credentials;
    }
    // Another call may have begun a session in the meantime.
    const newer = sessions.get(id);
    if (newer !== known && newer) return newer;
    if (sessions.size >= MAX_SESSIONS) sessions.clear();
    const begun = assume(request).catch((error: unknown) => {
      if (sessions.get(id) === begun) sessions.delete(id);
      throw withoutNames(error);
    });
    sessions.set(id, begun);
    return begun;
  };

  return (project) => {
    const role = roleOf(roles, project);
    if (!role) return undefined;
    const id = `${role.roleArn} ${encodeURIComponent(project)}`;
    return { id, credentials: () => credentialsOf(id, requestOf(role, project)) };
  };
}

const requestOf = ({ roleArn, externalId }: TargetRole, project: string): SessionRequest => ({
  RoleArn: roleArn,
  ExternalId: externalId.replaceAll('{project}', () => stsTextOf(project)),
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
