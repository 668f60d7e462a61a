import * as z from 'zod';

import { ActorView } from './actor-answers';
import { definitionFields, Instant, nextCursor, orNull } from './answers';

// Bodies of responses about the changes of a job. As in `answers.ts`, operations import only their types.

export const ChangeView = z
  .strictObject({
    number: z.int().meta({ description: 'The `changeNumber` that the job had after the change.' }),
    what: z.enum(['created', 'changed', 'paused', 'resumed', 'replanned', 'restored', 'deleted']),
    at: Instant,
    by: orNull(ActorView).meta({ description: 'Who made the change; null if that is not known.' }),
    note: orNull(z.string()).meta({ description: 'The `Quarterjack-Note` of the request.' }),
    createdAt: Instant.meta({
      description: 'When the job was created. It tells a job from a later one with the same jobId.',
    }),
    restoredFrom: z
      .int()
      .optional()
      .meta({ description: 'Only if the job was restored: the number of the change that was restored.' }),
    status: orNull(z.enum(['active', 'paused'])).meta({
      description: 'The status after the change; null if the job was deleted.',
    }),
    patch: orNull(z.record(z.string(), z.unknown())).meta({
      description:
        'The change of the definition as a JSON merge patch. Null if one of the two definitions is not kept, or if the ' +
        'change sets a field to null, which a merge patch cannot say.',
    }),
    definition: orNull(z.strictObject(definitionFields)).meta({
      description:
        'The definition after the change, as PUT takes it. Null if the job was deleted, or the definition was.',
    }),
  })
  .meta({
    id: 'Change',
    description:
      'A change of a job. Without the scope `jobs:write`, the values of these headers are `[hidden]`: ' +
      '`authorization`, `cookie`, `x-api-key`, and those whose names end in `-token` or `-secret`.',
  });
export type ChangeView = z.output<typeof ChangeView>;

export const ChangePage = z
  .strictObject({ items: z.array(ChangeView), nextCursor })
  .meta({ id: 'ChangePage' });
