import type { Operation } from '../../contracts/routes';
import { ReportView } from '../answers';
import { EmptyBody } from '../job';
import { CompleteBody, FailBody } from '../report';
import type { OperationSpec } from './operation-spec';

const STALE = 'A token whose attempt has ended is answered 409: stop working on it.';

export const ATTEMPT_OPERATIONS = {
  heartbeatAttempt: {
    tag: 'Attempts',
    summary: 'Keep an attempt going',
    description: `Its lease is kept for another \`heartbeatTimeout\`, unless the execution shall end. ${STALE}`,
    body: { schema: EmptyBody, required: false, example: {} },
    answers: {
      200: {
        description: 'The lease holds.',
        schema: ReportView,
        example: { status: 'running', cancelRequested: false },
      },
    },
    problems: [409],
  },
  completeAttempt: {
    tag: 'Attempts',
    summary: 'Complete an attempt',
    description: `The first 256 bytes of the result are kept. ${STALE}`,
    body: { schema: CompleteBody, required: false, example: { result: { rows: 7 } } },
    answers: {
      200: { description: 'It is on record.', schema: ReportView, example: { status: 'succeeded' } },
    },
    problems: [409],
  },
  failAttempt: {
    tag: 'Attempts',
    summary: 'Give an attempt up',
    description: `The job’s retry policy decides, unless \`retriable\` is false. ${STALE}`,
    body: { schema: FailBody, required: false, example: { error: 'disk full', retriable: true } },
    answers: {
      200: { description: 'It is on record.', schema: ReportView, example: { status: 'retrying' } },
    },
    problems: [409],
  },
} satisfies Partial<Record<Operation, OperationSpec>>;
