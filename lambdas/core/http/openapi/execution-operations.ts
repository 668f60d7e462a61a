import type { Operation } from '../../contracts/routes';
import { ExecutionPage, ExecutionView, OrderingKeyView } from '../answers';
import { EmptyBody, OrderingKeyBody } from '../job';
import * as examples from './examples';
import type { OperationSpec } from './operation-spec';

export const EXECUTION_OPERATIONS = {
  listExecutions: {
    tag: 'Executions',
    summary: 'List a job’s executions',
    description: 'Newest first, unless `order=asc`; those of a deleted job too, until their retention ends.',
    answers: {
      200: { description: 'A page of executions.', schema: ExecutionPage, example: examples.executionPage },
    },
    problems: [404],
  },
  getExecution: {
    tag: 'Executions',
    summary: 'Get an execution',
    answers: {
      200: {
        description: 'The execution with its attempts.',
        schema: ExecutionView,
        example: examples.execution,
      },
    },
    problems: [404],
  },
  cancelExecution: {
    tag: 'Executions',
    summary: 'Cancel an execution',
    description:
      'One that waits will not start; one that runs is asked to end; one that failed and blocks its ordering key lets the others go on.',
    body: { schema: EmptyBody, required: false, example: {} },
    answers: {
      202: {
        description: 'The execution, cancelled or about to be.',
        schema: ExecutionView,
        example: examples.cancelledExecution,
      },
    },
    problems: [404, 409],
  },
  retryExecution: {
    tag: 'Executions',
    summary: 'Run an execution again',
    description:
      'A failed, cancelled or skipped one: the same execution, attempts from 1, the fence rising on.',
    headers: ['Idempotency-Key'],
    body: { schema: EmptyBody, required: false, example: {} },
    answers: {
      202: {
        description: 'The execution, waiting for its attempt.',
        schema: ExecutionView,
        example: examples.retryingExecution,
        headers: ['Idempotency-Replayed'],
      },
    },
    problems: [404, 409, 422],
  },
  getOrderingKey: {
    tag: 'Executions',
    summary: 'See who waits for an ordering key',
    description: 'The key is a parameter of the query, because it may hold any character.',
    answers: {
      200: {
        description: 'Where the executions that share the key stand. A key nobody uses is free.',
        schema: OrderingKeyView,
        example: examples.orderingKey,
      },
    },
  },
  unblockOrderingKey: {
    tag: 'Executions',
    summary: 'Let an ordering key go on after a failure',
    description: 'What failed stays failed. Where nothing blocks the key, nothing changes.',
    body: { schema: OrderingKeyBody, required: true, example: { orderingKey: 'customer/42' } },
    answers: {
      200: {
        description: 'Where the executions that share the key stand now.',
        schema: OrderingKeyView,
        example: { ...examples.orderingKey, holder: null, blocked: false },
      },
    },
  },
  listFailures: {
    tag: 'Executions',
    summary: 'List failures over all jobs',
    description:
      'Failed and skipped executions, newest due time first, of a week unless asked otherwise. What failed within the ' +
      'last second may be missing yet. A page may be short, or empty, and still have a next one.',
    answers: {
      200: { description: 'A page of executions.', schema: ExecutionPage, example: examples.failuresPage },
    },
  },
} satisfies Partial<Record<Operation, OperationSpec>>;
