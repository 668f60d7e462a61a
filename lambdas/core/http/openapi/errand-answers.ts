import * as z from 'zod';

import { ERRAND_TYPES } from '../../contracts/errand-services';
import { Instant } from './answers';

const LINKS = {
  consoleUrl: z.string().optional().meta({ description: 'Its page in the AWS console.' }),
  logsUrl: z.string().optional().meta({ description: 'Its logs in the AWS console, if they are known.' }),
};

/** As in `answers.ts`, operations import only the type. */
export const ErrandView = z
  .strictObject({
    type: z.enum(ERRAND_TYPES).optional().meta({ description: 'Absent while it is starting.' }),
    state: z.enum(['starting', 'watched', 'unresolved', 'stopping', 'lost']).meta({
      description:
        'starting: an attempt starts it, or asks whether it runs. watched: it runs, and its end is awaited. ' +
        'unresolved: its start got no answer, and the service is asked. stopping: it is to end, and has not been ' +
        'seen to. lost: the execution has ended without its end.',
    }),
    name: z.string().meta({ description: 'Its name at the service, the same however often it is started.' }),
    id: z.string().optional().meta({
      description: 'What its service calls it: mostly an ARN. Absent while that is not known.',
    }),
    since: Instant.optional().meta({
      description: 'When it was first started. Absent while it is starting.',
    }),
    ...LINKS,
    trouble: z
      .strictObject({ error: z.string(), since: Instant })
      .optional()
      .meta({
        id: 'ErrandTrouble',
        description:
          'Why its end may stay unknown: what its service has answered last, and since when. It has ' +
          'answered no question since, or refused to stop it. Absent if all is well.',
      }),
  })
  .meta({
    id: 'Errand',
    description: 'The work that an AWS service does for the execution, until it has been seen to end.',
  });
export type ErrandView = z.output<typeof ErrandView>;

export const PastErrandView = z
  .strictObject({
    type: z.enum(ERRAND_TYPES),
    id: z.string().optional().meta({ description: 'What its service calls it, if that was known.' }),
    ...LINKS,
    steps: z
      .array(
        z
          .strictObject({
            name: z.string(),
            state: z.enum(['succeeded', 'failed', 'open']).meta({
              description:
                'As it was when the work ended. open: it had begun, and had not ended. failed: it failed, or was cancelled.',
            }),
            startedAt: Instant.optional(),
            endedAt: Instant.optional(),
          })
          .meta({ id: 'ErrandStep' }),
      )
      .optional()
      .meta({
        description: 'The last 20 steps of a durable execution, in the order in which they began, if known.',
      }),
  })
  .meta({ id: 'PastErrand', description: 'The work that an AWS service has done for an attempt.' });
export type PastErrandView = z.output<typeof PastErrandView>;
