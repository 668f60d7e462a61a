import * as z from 'zod';

import type { Operation } from '../../contracts/routes';
import { ConcurrencyKeyOrRule, MAX_WAITING_SHOWN, RateFields, ConcurrencyKeyBody } from '../concurrency-key';
import { ActorView } from './actor-answers';
import { Instant, nextCursor } from './answers';
import type { OperationSpec } from './operation-spec';

const execution = { jobId: z.string(), execId: z.string() };

export const ConcurrencyKeyView = z
  .strictObject({
    key: ConcurrencyKeyOrRule,
    rule: z.string().optional().meta({
      description: 'Whose limits these are, if the key has none of its own: the rule for its beginning.',
    }),
    limit: z.int().meta({ description: 'Executions that run at a time, at most.' }),
    rate: z.optional(RateFields),
    recentStarts: z.optional(z.int()).meta({
      description: 'Executions that started in the last period of the rate. Absent without a rate.',
    }),
    updatedAt: Instant,
    by: ActorView,
    running: z
      .array(z.strictObject({ ...execution, since: Instant }))
      .meta({ description: 'Executions that hold a slot, through all their retries.' }),
    waiting: z.array(z.strictObject({ ...execution, dueAt: Instant })).meta({
      description: `The first executions that wait for a slot or a start, at most ${MAX_WAITING_SHOWN}.`,
    }),
    hasMoreWaiting: z.boolean(),
  })
  .meta({
    id: 'ConcurrencyKey',
    description: 'How many executions with this key run at a time and start in a period, and which run.',
  });
export type ConcurrencyKeyView = z.output<typeof ConcurrencyKeyView>;

const ConcurrencyKeyPage = z
  .strictObject({ items: z.array(ConcurrencyKeyView), nextCursor })
  .meta({ id: 'ConcurrencyKeyPage' });

const example = {
  key: 'crm',
  limit: 3,
  rate: { limit: 10, per: '1m' },
  recentStarts: 4,
  updatedAt: '2026-12-01T08:30:00.000Z',
  by: { sub: 'alice', name: null, via: 'token' },
  running: [{ jobId: 'sync-contacts', execId: '20261201T090000.000Z', since: '2026-12-01T09:00:00.021Z' }],
  waiting: [],
  hasMoreWaiting: false,
};

export const CONCURRENCY_OPERATIONS = {
  putConcurrencyKey: {
    tag: 'Limits',
    summary: 'Create or change a concurrency key',
    description:
      'Jobs name it as `concurrencyKey`. At most `limit` of their executions run at a time; the others wait, in order of ' +
      'their due times. An execution holds its slot through all its retries. With a `rate`, at most so many of them ' +
      'start in any period of that length; retries of an attempt do not count. The next claim obeys a new limit. ' +
      'A name with `*` at its end is a rule: it gives these limits to each key that begins so and is not defined.',
    body: {
      schema: ConcurrencyKeyBody,
      required: true,
      example: { limit: 3, rate: { limit: 10, per: '1m' } },
    },
    responses: {
      200: { description: 'The key was changed.', schema: ConcurrencyKeyView, example },
      201: { description: 'The key was created.', schema: ConcurrencyKeyView, example },
    },
    problems: [409],
  },
  listConcurrencyKeys: {
    tag: 'Limits',
    summary: 'List the concurrency keys of the project',
    responses: {
      200: {
        description: 'A page of the keys, by name.',
        schema: ConcurrencyKeyPage,
        example: { items: [example], nextCursor: null },
      },
    },
  },
  getConcurrencyKey: {
    tag: 'Limits',
    summary: 'Get a concurrency key, and which executions hold its slots or wait',
    responses: { 200: { description: 'The key.', schema: ConcurrencyKeyView, example } },
    problems: [404],
  },
  deleteConcurrencyKey: {
    tag: 'Limits',
    summary: 'Delete a concurrency key',
    description:
      'If a job uses the key: 409, unless `force` is true. Executions of such a job then run one at a time.',
    responses: { 204: { description: 'The key is deleted.' } },
    problems: [404, 409],
  },
} satisfies Partial<Record<Operation, OperationSpec>>;
