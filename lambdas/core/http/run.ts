import * as z from 'zod/mini';

import { PRIORITIES } from '../contracts/pools';
import { anyRecord, described, duration, MAX_RUN_TAGS, RunKey, runLabelFields, tags } from './fields';
import { instant } from './query-fields';

/** How far ahead a run may be due. */
export const MAX_DELAY = '400d';

/** Body of `run`. Without a payload, the run gets that of the job. */
export const RunBody = described(
  z
    .strictObject({
      payload: described(z.optional(z.unknown()), {
        description: 'Replaces the payload of the job for this run.',
      }),
      params: described(z.optional(anyRecord()), {
        description:
          'Only for a job with a workflow: values of its parameters. The others keep their defaults.',
      }),
      at: described(z.optional(instant), {
        description: 'When it is due: at most 400 days ahead. A past time is now.',
      }),
      delay: described(z.optional(duration('0s', MAX_DELAY)), {
        description: 'In place of `at`: how long after the request.',
      }),
      key: described(z.optional(RunKey), {
        description: 'Your name for the run: no other run has it until this one has ended.',
      }),
      onExisting: described(z.optional(z.enum(['keep', 'replace'])), {
        description:
          'If a run has the key: `keep` it (default), or `replace` its time, payload and parameters.',
      }),
      keyTtl: described(z.optional(duration('1s', MAX_DELAY)), {
        description: 'How long the key stays taken after a success or failure.',
      }),
      priority: described(z.optional(z.enum(PRIORITIES)), { description: 'In place of the job’s.' }),
      tags: described(z.optional(tags(MAX_RUN_TAGS)), { description: 'At most 5.' }),
      ...runLabelFields,
    })
    .check(
      z.superRefine(({ at, delay, key, onExisting, keyTtl }, context) => {
        const fault = (path: string, message: string) =>
          context.addIssue({ code: 'custom', path: [path], message });
        if (at !== undefined && delay !== undefined) fault('delay', 'excludes at: give one of the two');
        if (onExisting !== undefined && key === undefined) fault('onExisting', 'needs a key');
        if (keyTtl !== undefined && key === undefined) fault('keyTtl', 'needs a key');
      }),
    ),
  { id: 'RunRequest' },
);
export type RunBody = z.output<typeof RunBody>;

/** Most runs of one request. */
const MAX_RUNS = 100;
const RUNS_SIZE = `must have 1 to ${MAX_RUNS} runs`;

/** Body of `runs`. The API checks each item separately, with `RunBody`. */
export const RunsBody = described(
  z.strictObject({
    runs: z
      .array(described(z.unknown(), { override: { $ref: '#/components/schemas/RunRequest' } }))
      .check(z.minLength(1, RUNS_SIZE), z.maxLength(MAX_RUNS, RUNS_SIZE)),
  }),
  { id: 'RunsRequest' },
);

export const CancelRunBody = described(z.strictObject({ key: RunKey }), { id: 'RunKeyRequest' });
