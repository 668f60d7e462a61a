import * as z from 'zod';

import { KEY_ROLES, KEY_SCOPES } from '../domain/api-key';
import { AUDIT_OUTCOMES, AUDITED } from '../domain/audit';
import { ActorView } from './actor-answers';
import { Instant, nextCursor, orNull } from './answers';

// Bodies of responses about access to a project. As in `answers.ts`, operations import only their types.

const apiKey = {
  keyId: z.string(),
  name: z.string(),
  role: z.enum(KEY_ROLES),
  scopes: z.array(z.enum(KEY_SCOPES)),
  queues: orNull(z.array(z.string())).meta({
    description: 'The only work queues that the key may use; null: all of the project.',
  }),
  by: ActorView,
  createdAt: Instant,
  expiresAt: Instant,
  lastUsedOn: orNull(z.iso.date()).meta({
    description: 'The day of the last use, in UTC; null if the key was never used.',
  }),
};

export const ApiKeyView = z
  .strictObject(apiKey)
  .meta({ id: 'ApiKey', description: 'An API key of the project, without its secret.' });
export type ApiKeyView = z.output<typeof ApiKeyView>;

export const NewApiKeyView = z
  .strictObject({
    ...apiKey,
    key: z.string().meta({ description: 'The key itself: the bearer token. It is shown only here.' }),
  })
  .meta({ id: 'NewApiKey' });
export type NewApiKeyView = z.output<typeof NewApiKeyView>;

export const ApiKeyPage = z
  .strictObject({ items: z.array(ApiKeyView), nextCursor })
  .meta({ id: 'ApiKeyPage' });

export const RevokedApiKeysView = z
  .strictObject({ revoked: z.array(z.string()).meta({ description: 'Ids of the keys that were revoked.' }) })
  .meta({ id: 'RevokedApiKeys' });
export type RevokedApiKeysView = z.output<typeof RevokedApiKeysView>;

export const AuditRecordView = z
  .strictObject({
    at: Instant,
    by: ActorView,
    what: z.enum(AUDITED),
    outcome: z.enum(AUDIT_OUTCOMES).meta({
      description:
        'done: the change was made. refused: nothing was changed. attempted: the outcome is not known, because the API ' +
        'stopped half-way; the change may have been made.',
    }),
    resource: z.string().meta({
      description: 'What was changed, such as the id of a key. For a denied request, its method and route.',
    }),
    detail: orNull(z.string()),
    note: orNull(z.string()).meta({ description: 'The `Quarterjack-Note` of the request.' }),
  })
  .meta({
    id: 'AuditRecord',
    description: 'A change of the project’s access, or a request that was denied.',
  });
export type AuditRecordView = z.output<typeof AuditRecordView>;

export const AuditPage = z
  .strictObject({ items: z.array(AuditRecordView), nextCursor })
  .meta({ id: 'AuditPage' });
