import type { Operation } from '../../contracts/routes';
import { KEPT_BYTES } from '../../domain/target-result';
import { CompleteBody, FailBody, HeartbeatBody } from '../report';
import { ReportView } from './answers';
import type { OperationSpec } from './operation-spec';

const STALE =
  'If the attempt of the token has ended, the response is 409. The target then should stop its work.';
const COUNTED = 'Counts towards the quota `reportsPerMinute`. A report that gets 429 has changed nothing.';
const NOT_OBSERVED = 'The token of a target with `observe` gets 403: its response is the result.';
const KEPT = `The first ${KEPT_BYTES.ofSuccess} bytes of the result are kept.`;

export const ATTEMPT_OPERATIONS = {
  heartbeatAttempt: {
    tag: 'Attempts',
    summary: 'Send a heartbeat for an attempt',
    description:
      `Extends the lease by \`heartbeatTimeout\`, unless cancellation was requested. ${STALE} ${COUNTED} ` +
      'The token of a target with `observe` extends nothing: it gets the answer, and may say how far it is.',
    body: { schema: HeartbeatBody, required: false, example: { progress: 0.4, text: 'page 4 of 10' } },
    responses: {
      200: {
        description: 'The lease is valid.',
        schema: ReportView,
        example: { status: 'running', cancelRequested: false },
      },
    },
    problems: [409],
  },
  completeAttempt: {
    tag: 'Attempts',
    summary: 'Complete an attempt',
    description: `Reports success. ${KEPT} ${STALE} ${NOT_OBSERVED} ${COUNTED}`,
    body: { schema: CompleteBody, required: false, example: { result: { rows: 7 } } },
    responses: {
      200: { description: 'The report is recorded.', schema: ReportView, example: { status: 'succeeded' } },
    },
    problems: [403, 409],
  },
  failAttempt: {
    tag: 'Attempts',
    summary: 'Fail an attempt',
    description: `Reports failure. The job’s retry policy decides on another attempt, unless \`retriable\` is false. ${STALE} ${NOT_OBSERVED} ${COUNTED}`,
    body: { schema: FailBody, required: false, example: { error: 'disk full', retriable: true } },
    responses: {
      200: { description: 'The report is recorded.', schema: ReportView, example: { status: 'retrying' } },
    },
    problems: [403, 409],
  },
} satisfies Partial<Record<Operation, OperationSpec>>;
