import * as z from 'zod';

/** A problem by RFC 9457. */
export const ProblemView = z
  .strictObject({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    instance: z.string().meta({ description: 'Identifies the request in the log.' }),
    errors: z
      .array(z.strictObject({ path: z.string(), message: z.string() }))
      .optional()
      .meta({
        description:
          'In responses to bad input: each bad field by its dotted path. `body` means the body as a whole.',
      }),
  })
  .meta({ id: 'Problem', description: 'What is wrong, in the format of RFC 9457.' });
export type ProblemView = z.output<typeof ProblemView>;
