import type { Operation } from '../../contracts/routes';
import { ExecutionPage, ExecutionView } from '../execution-answers';
import { OrderingKeyView } from '../ordering-key-answers';
import { CancelExecutionBody, OrderingKeyBody, RetryExecutionBody } from '../job';
import * as examples from './examples';
import type { OperationSpec } from './operation-spec';

export const EXECUTION_OPERATIONS = {
  listExecutions: {
    tag: 'Executions',
    summary: 'List a job’s executions',
    description:
      'Newest first, unless `order=asc`. Executions of a deleted job stay in the list until their retention ends.',
    responses: {
      200: { description: 'A page of executions.', schema: ExecutionPage, example: examples.executionPage },
    },
    problems: [404],
  },
  getExecution: {
    tag: 'Executions',
    summary: 'Get an execution',
    responses: {
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
      'A waiting execution will not start. For a running one, cancellation is requested. A failed one that blocks ' +
      'its ordering key stops blocking it. A run stops: what runs is cancelled, and then its finally tasks run, unless ' +
      '`force` is true.',
    body: { schema: CancelExecutionBody, required: false, example: {} },
    responses: {
      202: {
        description: 'The execution. A running one ends as cancelled later.',
        schema: ExecutionView,
        example: examples.cancelledExecution,
      },
    },
    problems: [404, 409],
  },
  retryExecution: {
    tag: 'Executions',
    summary: 'Retry an execution',
    description:
      'Runs a failed, cancelled or skipped execution again. It keeps its id. Its attempts start at 1 again, and its ' +
      'fence keeps rising. With `payload`, its targets get that instead of what they got before.',
    headers: ['Idempotency-Key'],
    body: { schema: RetryExecutionBody, required: false, example: { payload: { invoice: 43 } } },
    responses: {
      202: {
        description: 'The execution, which waits for its next attempt.',
        schema: ExecutionView,
        example: examples.retryingExecution,
        headers: ['Idempotency-Replayed'],
      },
    },
    problems: [404, 409, 422],
  },
  getOrderingKey: {
    tag: 'Executions',
    summary: 'Get the state of an ordering key',
    description: 'The key is a query parameter because it may contain any character.',
    responses: {
      200: {
        description: 'The state of the key. An unused key has no holder.',
        schema: OrderingKeyView,
        example: examples.orderingKey,
      },
    },
  },
  unblockOrderingKey: {
    tag: 'Executions',
    summary: 'Unblock an ordering key',
    description:
      'The next execution may run. The one that blocked the key stays failed. If the key is not blocked, nothing changes.',
    body: { schema: OrderingKeyBody, required: true, example: { orderingKey: 'customer/42' } },
    responses: {
      200: {
        description: 'The state of the key after the change.',
        schema: OrderingKeyView,
        example: { ...examples.orderingKey, holder: null, blocked: false },
      },
    },
  },
} satisfies Partial<Record<Operation, OperationSpec>>;
