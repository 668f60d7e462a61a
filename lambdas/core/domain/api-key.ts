import type { ProjectScope, Role } from '../contracts/roles';
import { ROLE_SCOPES } from '../contracts/roles';
import type { Actor } from './actor';
import type { IdempotencyStamp } from './job';

/** Roles that an API key may have. An owner's rights include those of managing keys, which no key has. */
export const KEY_ROLES = ['viewer', 'approver', 'worker', 'operator', 'editor'] as const satisfies Role[];
export type KeyRole = (typeof KEY_ROLES)[number];

/** Scopes that an API key may have. */
export const KEY_SCOPES = [
  'jobs:read',
  'jobs:write',
  'runs:operate',
  'runs:approve',
  'work',
] as const satisfies ProjectScope[];
export type KeyScope = (typeof KEY_SCOPES)[number];

/** An API key as it is stored: all but its secret. */
export interface ApiKey {
  /** 16 of `0-9a-z`. */
  keyId: string;
  project: string;
  /** For people, and for the actor of what the key does: `key:<name>`. */
  name: string;
  role: KeyRole;
  /** Those that the key has of its role. */
  scopes: readonly KeyScope[];
  /** Patterns of the work queues that it may use; absent: all. */
  queues?: readonly string[];
  /** SHA-256 of the whole key, base64url. */
  hash: string;
  /** Who created it. */
  by: Actor;
  createdAtMs: number;
  expiresAtMs: number;
  /** Day of its last use, in UTC: `2026-12-01`. Absent: not used yet. */
  lastUsedOn?: string;
  /** Present if it was created with an `Idempotency-Key`. */
  idempotency?: IdempotencyStamp;
}

/**
 * The scopes of a key whose creator names none. A key of a role that also writes jobs does not approve runs:
 * an approval is a person's decision. A key gets that scope by name alone.
 */
export function defaultKeyScopes(role: KeyRole): readonly KeyScope[] {
  const scopes: readonly KeyScope[] = ROLE_SCOPES[role];
  return scopes.includes('jobs:write') ? scopes.filter((scope) => scope !== 'runs:approve') : scopes;
}
