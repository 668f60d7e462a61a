import * as z from 'zod';

import { nextCursor, ProblemView } from './answers';
import { JobId } from './fields';

export const BulkView = z
  .strictObject({
    matched: z.int().meta({
      description:
        'Items of this page: the sum of `done`, `unchanged` and `failed`. In a dry run: all items.',
    }),
    done: z.int(),
    unchanged: z.int().meta({
      description: 'Items that were already as asked for, for example because the page was sent before.',
    }),
    failed: z.array(z.strictObject({ jobId: JobId, execId: z.string().optional(), problem: ProblemView })),
    stoppedBy: ProblemView.optional().meta({
      description:
        'Present if a 429 or 503 of an item ended the page early. `Retry-After` says when to go on with `nextCursor`.',
    }),
    nextCursor,
  })
  .meta({ id: 'Bulk', description: 'What one page of a bulk has done.' });
export type BulkView = z.output<typeof BulkView>;
