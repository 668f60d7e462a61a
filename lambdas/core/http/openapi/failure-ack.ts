import * as z from 'zod';

import type { Operation } from '../../contracts/routes';
import { MAX_ACK_DAYS, MAX_FAILURE_ACKS, MAX_JOBS_OF_ACK } from '../../domain/failure-ack';
import { FailureAckBody } from '../failure-ack';
import { ActorView } from './actor-answers';
import { Instant, nextCursor, orNull } from './answers';
import type { OperationSpec } from './operation-spec';

export const FailureAckView = z
  .strictObject({
    fingerprint: z.string(),
    note: orNull(z.string()),
    at: Instant.meta({ description: 'When it was acknowledged.' }),
    until: Instant,
    by: ActorView,
    jobs: z.int().meta({ description: 'How many jobs had failed so by then.' }),
  })
  .meta({ id: 'FailureAck', description: 'A cause of failures that a user knows about.' });
export type FailureAckView = z.output<typeof FailureAckView>;

const FailureAckPage = z
  .strictObject({ items: z.array(FailureAckView), nextCursor })
  .meta({ id: 'FailureAckPage' });

const example = {
  fingerprint: 'failed/attempts-exhausted/status/503/billing.example.com/1f0c9a2e',
  note: 'The provider works on it',
  at: '2026-12-01T08:30:00.000Z',
  until: '2026-12-02T08:30:00.000Z',
  by: { sub: 'alice', name: null, via: 'token' },
  jobs: 3,
};

export const FAILURE_ACK_OPERATIONS = {
  putFailureAck: {
    tag: 'Executions',
    summary: 'Acknowledge a cause of failures',
    description:
      'Says to all users of the project that a user knows about it. It changes nothing else: the jobs run on, and ' +
      'notifications are sent. It ends by itself at `until`, and earlier if a job fails so that had not before. A ' +
      `project has at most ${MAX_FAILURE_ACKS} of them, each for at most ${MAX_ACK_DAYS} days and ${MAX_JOBS_OF_ACK} jobs.`,
    body: {
      schema: FailureAckBody,
      required: true,
      example: { fingerprint: example.fingerprint, note: example.note, until: example.until },
    },
    responses: {
      200: { description: 'It had been acknowledged before.', schema: FailureAckView, example },
      201: { description: 'It is acknowledged.', schema: FailureAckView, example },
    },
    problems: [404, 409],
  },
  listFailureAcks: {
    tag: 'Executions',
    summary: 'List the acknowledged causes of failures',
    description:
      'Also those that a further job has ended: `ack` of `GET /v1/failures?group=fingerprint` says so.',
    responses: {
      200: {
        description: 'A page of them, by fingerprint.',
        schema: FailureAckPage,
        example: { items: [example], nextCursor: null },
      },
    },
  },
  deleteFailureAck: {
    tag: 'Executions',
    summary: 'Take an acknowledgement back',
    responses: { 204: { description: 'The cause counts as unknown again.' } },
    problems: [404],
  },
} satisfies Partial<Record<Operation, OperationSpec>>;
