import { ADMIN_SCOPE, type CallerKind, PROJECT_SCOPES, type Role, ROLES } from '../core/contracts/roles';
import type { MachineClient } from '../core/contracts/machine-clients';
import { isName, isReservedName, type ProjectSource, projectClaimOf } from '../core/contracts/projects';
import { ADMIN_GROUP, SCOPE_RESOURCE_SERVER } from '../core/contracts/user-pool';
import { higherRole, type ProjectRole } from '../core/domain/identity';

type Claims = Readonly<Record<string, unknown>>;

const SCOPE_PREFIX = `${SCOPE_RESOURCE_SERVER}/`;
const SCOPES: readonly string[] = [...PROJECT_SCOPES, ADMIN_SCOPE];
const PROJECT_GROUP = new RegExp(`^project:([a-z0-9][a-z0-9-]{0,62}):(${ROLES.join('|')})$`);

/**
 * The subject; `''` if the claim is not a text that can be one. Names of the deployment's own parts cannot:
 * what they do is on record under them.
 */
export function subjectOf({ sub }: Claims): string {
  const name = nameIn(sub);
  return name === undefined || isReservedName(name) ? '' : name;
}

const nameIn = (claim: unknown): string | undefined =>
  typeof claim === 'string' && isName(claim) ? claim : undefined;

/** The projects that a token names, sorted by name. */
export function projectsOf(claims: Claims, source: ProjectSource): ProjectRole[] {
  if (source.from === 'groups') return projectsOfGroups(claims[source.groupsClaim]);
  const name = nameIn(claims[projectClaimOf(source) ?? 'sub']);
  return name === undefined ? [] : [{ name, role: 'owner' }];
}

/** Only the elements of a JSON array count: a text could join what belongs to several groups. */
function projectsOfGroups(groups: unknown): ProjectRole[] {
  const roles = new Map<string, Role>();
  for (const group of listIn(groups)) {
    const [, name, role] = (PROJECT_GROUP.exec(group) ?? []) as [string?, string?, Role?];
    if (name === undefined || role === undefined) continue;
    roles.set(name, higherRole(roles.get(name) ?? role, role));
  }
  return [...roles].map(([name, role]) => ({ name, role })).sort((a, b) => (a.name < b.name ? -1 : 1));
}

const listIn = (claim: unknown): string[] =>
  Array.isArray(claim) ? claim.filter((item) => typeof item === 'string') : [];

/**
 * The scopes of this API in a token, from `scope` or `scp`, a text or a list. No client of the user pool may
 * request the scope `admin`: membership in the group gives it.
 */
export function scopesOf({ scope, scp, 'cognito:groups': groups }: Claims): string[] {
  const claim = scope ?? scp;
  const named = (typeof claim === 'string' ? [claim] : listIn(claim)).flatMap((text) => text.split(' '));
  const bare = named.map((one) => (one.startsWith(SCOPE_PREFIX) ? one.slice(SCOPE_PREFIX.length) : one));
  const admin = listIn(groups).includes(ADMIN_GROUP) ? [ADMIN_SCOPE] : [];
  return [...new Set([...bare.filter((one) => SCOPES.includes(one)), ...admin])];
}

/**
 * Whether a person or a program signed in. With client credentials, the subject is the client itself, or the
 * issuer says so: `gty` (Auth0), `idtyp` (Entra).
 */
export function kindOf({ sub, client_id: clientId, azp, cid, gty, idtyp }: Claims): CallerKind {
  const isClient =
    (sub !== undefined && [clientId, azp, cid].includes(sub)) ||
    gty === 'client-credentials' ||
    idtyp === 'app';
  return isClient ? 'client' : 'person';
}

/**
 * The machine client that a token is of; undefined for any other token. A person's token may name the client
 * that the person signed in with, so that only a program's token counts.
 */
export function machineClientOf(
  claims: Claims,
  clients: readonly MachineClient[],
): MachineClient | undefined {
  if (kindOf(claims) !== 'client') return undefined;
  const { client_id: clientId, azp, cid } = claims;
  return clients.find((one) => one.clientId === (clientId ?? azp ?? cid));
}
