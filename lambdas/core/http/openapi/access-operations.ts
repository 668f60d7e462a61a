import type { Operation } from '../../contracts/routes';
import { ApiKeyPage, AuditPage, NewApiKeyView, RevokedApiKeysView } from '../access-answers';
import { ApiKeyBody } from '../api-key';
import { actor } from './examples';
import type { OperationSpec } from './operation-spec';

const apiKey = {
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
      201: { description: 'The new key.', schema: NewApiKeyView, example: { ...apiKey, key: KEY } },
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
        example: { items: [{ ...apiKey, lastUsedOn: '2026-12-02' }], nextCursor: null },
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
