import type { Operation } from '../../contracts/routes';
import { SecretBody } from '../secret';
import { SecretPage, SecretView } from '../secret-answers';
import type { OperationSpec } from './operation-spec';

const example = {
  name: 'crm',
  hosts: ['api.crm.example'],
  updatedAt: '2026-12-01T08:30:00.000Z',
  by: { sub: 'alice', name: null, via: 'token' },
  users: ['sync-contacts'],
  hasMoreUsers: false,
};

export const SECRET_OPERATIONS = {
  putSecret: {
    tag: 'Secrets',
    summary: 'Create or replace a secret',
    description:
      'Jobs name it as `{{ secrets.NAME }}`. Deliveries use the new value within a minute. ' +
      'The value is sealed, and no request can read it again.',
    body: {
      schema: SecretBody,
      required: true,
      example: { value: 'an API key of the CRM', hosts: ['api.crm.example'] },
    },
    responses: {
      200: { description: 'The secret was replaced.', schema: SecretView, example },
      201: { description: 'The secret was created.', schema: SecretView, example },
    },
    problems: [409],
  },
  listSecrets: {
    tag: 'Secrets',
    summary: 'List the secrets of the project',
    responses: {
      200: {
        description: 'A page of the secrets, by name.',
        schema: SecretPage,
        example: { items: [example], nextCursor: null },
      },
    },
  },
  getSecret: {
    tag: 'Secrets',
    summary: 'Get a secret without its value',
    responses: { 200: { description: 'The secret.', schema: SecretView, example } },
    problems: [404],
  },
  deleteSecret: {
    tag: 'Secrets',
    summary: 'Delete a secret',
    description:
      'If a job uses the secret: 409, unless `force` is true. Deliveries of such a job then fail with the reason `bad-input`.',
    responses: { 204: { description: 'The secret is deleted.' } },
    problems: [404, 409],
  },
} satisfies Partial<Record<Operation, OperationSpec>>;
