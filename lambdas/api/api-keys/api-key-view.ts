import { instantText } from '../../core/clock/clock';
import type { ApiKeyView } from '../../core/http/access-answers';
import type { ApiKey } from '../../core/domain/api-key';

export const apiKeyView = (key: ApiKey): ApiKeyView => ({
  keyId: key.keyId,
  name: key.name,
  role: key.role,
  scopes: [...key.scopes],
  queues: key.queues ? [...key.queues] : null,
  by: key.by,
  createdAt: instantText(key.createdAtMs),
  expiresAt: instantText(key.expiresAtMs),
  lastUsedOn: key.lastUsedOn ?? null,
});
