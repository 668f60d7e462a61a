import { type Clock, DAY_MS, instantText } from '../core/clock/clock';
import type { KeyProperties } from '../core/contracts/custom-resources';
import type { Log } from '../core/telemetry/telemetry';
import { expectStatus, type ProjectApi } from './project-api';
import { namedBy, physicalId, type ResourceRequest } from './stack-event';

interface KeyDeps {
  api: ProjectApi;
  /** Replaces the value of a secret. */
  putSecret(secretArn: string, value: string): Promise<void>;
  clock: Pick<Clock, 'nowMs' | 'sleep'>;
  log: Log;
}

/** No deployment renews a key by itself. Another `Rotation` does. */
const LIFE_MS = 3_650 * DAY_MS;

/**
 * Keeps an API key in a secret, and resolves to the key's physical id. A change makes another key, since no
 * key can be read again. CloudFormation then deletes the earlier one. Throws an Error that says what failed.
 */
export async function provideKey(request: ResourceRequest<KeyProperties>, deps: KeyDeps): Promise<string> {
  const { RequestType, properties, old, PhysicalResourceId = '' } = request;
  if (RequestType === 'Delete') {
    const named = namedBy(PhysicalResourceId);
    if (named) await revokeKey(named.project, named.id, deps);
    return PhysicalResourceId;
  }
  if (old && sameKey(old, properties)) return PhysicalResourceId;
  return createKey(properties, deps);
}

const FIELDS = ['Project', 'Role', 'Name', 'SecretArn', 'Rotation'] as const;
const sameKey = (one: KeyProperties, other: KeyProperties): boolean =>
  FIELDS.every((field) => one[field] === other[field]);

async function createKey({ Project, Role, Name, SecretArn }: KeyProperties, deps: KeyDeps): Promise<string> {
  const expiresAt = instantText(deps.clock.nowMs() + LIFE_MS);
  const call = { operation: 'createApiKey', body: { name: Name, role: Role, expiresAt } } as const;
  const { body } = await expectStatus([201], () => deps.api(Project, call), deps.clock);
  const { keyId, key } = body as { keyId: string; key: string };
  try {
    await deps.putSecret(SecretArn, key);
  } catch (error) {
    await revokeKey(Project, keyId, deps).catch((cause: unknown) =>
      deps.log.error('a key that is of no use could not be revoked', cause, { keyId }),
    );
    throw error;
  }
  return physicalId(Project, keyId);
}

/** A key that is gone already counts as revoked. */
const revokeKey = (project: string, keyId: string, { api, clock }: KeyDeps) =>
  expectStatus(
    [200, 204, 404],
    () => api(project, { operation: 'revokeApiKey', pathParameters: { keyId } }),
    clock,
  );
