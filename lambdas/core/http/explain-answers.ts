import * as z from 'zod';

import { STEP_CODES, VERDICTS } from '../domain/explain/facts';
import { Instant, orNull } from './answers';
import { ExecutionView } from './execution-answers';
import { JobId } from './fields';

// The body of an explanation. As in `answers.ts`, operations import only its type.

const Evidence = z.strictObject({
  text: z.string().meta({ description: 'Continues the words “known from”.' }),
  changes: z.array(z.int()).optional().meta({ description: 'Numbers of changes of the job.' }),
  execId: z.string().optional(),
  jobId: z.optional(JobId).meta({ description: 'The job of the execution, if it may be another one.' }),
});

export const ExplainView = z
  .strictObject({
    at: Instant.meta({ description: 'The due time that is explained.' }),
    verdict: z.enum(VERDICTS).meta({
      description:
        '`ran`: it began within 30 s of its due time. `late`: it began later. `skipped`: it did not run, by a ' +
        'policy, a change or a user. `waits`: it is due and has not begun. `lost`: it has no record two hours after ' +
        'its due time. `unknown`: the evidence is not kept any more.',
    }),
    sentence: z
      .string()
      .meta({ description: 'The verdict in one sentence, in local times of the schedule.' }),
    steps: z.array(
      z.strictObject({
        code: z.enum(STEP_CODES),
        holds: orNull(z.boolean()).meta({
          description: 'true: it speaks for a run. false: it speaks against one. null: it is not known.',
        }),
        text: z.string(),
        evidence: orNull(Evidence).meta({ description: 'Where this is known from.' }),
      }),
    ),
    execution: orNull(ExecutionView).meta({
      description: 'The record of the occurrence: its own, or the skipped range that covers it.',
    }),
  })
  .meta({ id: 'Explanation', description: 'Why a job ran, did not run, or will run at an instant.' });
export type ExplainView = z.output<typeof ExplainView>;
