import * as z from 'zod';

import { KEY_ROLES, KEY_SCOPES } from '../../domain/api-key';
import { AUDIT_OUTCOMES, AUDITED } from '../../domain/audit';
import type { Operation } from '../../contracts/routes';
import { ApiKeyBody } from '../api-key';
import { ActorView } from './actor-answers';
import { Instant, nextCursor, orNull } from './answers';
import { actor } from './examples';
import type { OperationSpec } from './operation-spec';

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

const ApiKeyPage = z.strictObject({ items: z.array(ApiKeyView), nextCursor }).meta({ id: 'ApiKeyPage' });

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

const AuditPage = z.strictObject({ items: z.array(AuditRecordView), nextCursor }).meta({ id: 'AuditPage' });

const exampleKey = {
  keyId: '3k9x0c2m7q4t8v1b',
  name: 'ci',
  role: 'editor',
  scopes: ['jobs:read', 'jobs:write'],
  queues: null,
  by: actor,
  createdAt: '2026-12-01T08:30:00.000Z',
  expiresAt: '2027-12-01T08:30:00.000Z',
  lastUsedOn: null,
};
/** Its checksum is that of no key. */
const KEY = 'qj_3k9x0c2m7q4t8v1b_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg000000';

export const ACCESS_OPERATIONS = {
  createApiKey: {
    tag: 'Access',
    summary: 'Create an API key',
    description:
      'The key has at most the rights of its creator, and never the scopes `project:admin` and `admin`. The response is the ' +
      'only one that shows it, so a repeated request with the same `Idempotency-Key` is a conflict. ' +
      'A project has at most 100 keys.',
    headers: ['Idempotency-Key'],
    body: {
      schema: ApiKeyBody,
      required: true,
      example: { name: 'ci', role: 'editor', expiresAt: '2027-03-01T00:00:00Z' },
    },
    responses: {
      201: { description: 'The new key.', schema: NewApiKeyView, example: { ...exampleKey, key: KEY } },
    },
    problems: [409, 422],
  },
  listApiKeys: {
    tag: 'Access',
    summary: 'List API keys',
    description: 'The keys of the project by their ids, without secrets.',
    responses: {
      200: {
        description: 'A page of keys.',
        schema: ApiKeyPage,
        example: { items: [{ ...exampleKey, lastUsedOn: '2026-12-02' }], nextCursor: null },
      },
    },
  },
  revokeApiKey: {
    tag: 'Access',
    summary: 'Revoke an API key',
    description: 'Requests with the key are refused within 60 seconds.',
    responses: { 204: { description: 'The key is revoked.' } },
    problems: [404],
  },
  revokeApiKeys: {
    tag: 'Access',
    summary: 'Revoke all API keys that one actor created',
    description:
      'For an actor that leaves the project. Requests with these keys are refused within 60 seconds.',
    responses: {
      200: {
        description: 'The keys that were revoked.',
        schema: RevokedApiKeysView,
        example: { revoked: ['3k9x0c2m7q4t8v1b'] },
      },
    },
  },
  listAudit: {
    tag: 'Access',
    summary: 'List audit records',
    description:
      'Changes of API keys and of the signing secret, and requests that were denied with 403, newest first. Denials of one ' +
      'actor and route within a minute share a record, and all denials of a minute have at most 64. They follow the ' +
      'other records of their minute. A token with the ' +
      'scope `admin` also gets the records of the deployment, such as moved dead letters. Records are kept as ' +
      'long as executions.',
    responses: {
      200: {
        description: 'A page of records.',
        schema: AuditPage,
        example: {
          items: [
            {
              at: '2026-12-01T08:30:00.000Z',
              by: actor,
              what: 'api-key.created',
              outcome: 'done',
              resource: '3k9x0c2m7q4t8v1b',
              detail: 'name ci, role editor, scopes jobs:read jobs:write',
              note: null,
            },
          ],
          nextCursor: null,
        },
      },
    },
  },
} satisfies Partial<Record<Operation, OperationSpec>>;
