import { type CallerKind, IMPLIED_SCOPES, ROLE_SCOPES, ROLES, type Role } from '../contracts/roles';

/** A project that a caller may use, and as what. */
export interface ProjectRole {
  name: string;
  role: Role;
}

/** Who a token or API key belongs to, and what it allows. */
export interface Identity {
  /** The token's subject; of an API key, the subject that created it. `''` if the token names none. */
  sub: string;
  /** A name for people; null if nothing tells one. For an API key, the name of its creator. */
  name: string | null;
  kind: CallerKind;
  /** Only an API key has these: its id and its name. */
  keyId?: string;
  keyName?: string;
  /** Sorted by name, each once. */
  projects: readonly ProjectRole[];
  /** As the token or key names them, without those that they imply. */
  scopes: readonly string[];
  /** Only an API key has it: patterns of the work queues that it may use. Absent: all. */
  queues?: readonly string[];
  /** The identity ends at this instant, in milliseconds since the epoch. */
  expiresAt: number;
}

/** What the authorizer says about a token: whose it is, or why it is rejected. */
export type Verification = { problem: string } | Identity;

/** The scopes that a token has, including those that they imply. */
export function scopesWithImplied(scopes: Iterable<string>, kind: CallerKind): ReadonlySet<string> {
  const all = new Set(scopes);
  for (const { scope, implies, for: kinds } of IMPLIED_SCOPES)
    if (all.has(scope) && kinds.includes(kind)) all.add(implies);
  return all;
}

/** The scopes that both the role and the token have. */
export function scopesInProject(
  role: Role,
  { scopes, kind }: Pick<Identity, 'scopes' | 'kind'>,
): ReadonlySet<string> {
  const ofToken = scopesWithImplied(scopes, kind);
  return new Set(ROLE_SCOPES[role].filter((scope) => ofToken.has(scope)));
}

/** The higher of two roles. */
export const higherRole = (one: Role, other: Role): Role =>
  ROLES.indexOf(one) < ROLES.indexOf(other) ? other : one;
