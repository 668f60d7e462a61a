import * as z from 'zod';

/** As in `answers.ts`, operations import only the type. */
export const CauseView = z
  .discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('after'),
      jobId: z.string(),
      execId: z.string(),
      status: z.enum(['succeeded', 'failed', 'cancelled']),
    }),
    z.strictObject({
      type: z.literal('event'),
      name: z.string(),
      eventId: z.string(),
      key: z.string().optional(),
    }),
  ])
  .meta({
    description:
      'What started it: the end of an upstream execution, or an event. Absent if the clock or a user did.',
  });
