import type { Execution } from './execution';
import type { JobDefinition } from './job';

/** What an execution is found by. */
export type RunLabels = Pick<Execution, 'runTags' | 'externalId' | 'tagsLeftOut'>;

/** What a request says of them, without the fields that it does not give. */
export const labelsIn = ({
  runTags,
  externalId,
}: {
  runTags?: readonly string[] | undefined;
  externalId?: string | undefined;
}): RunLabels => ({
  ...(runTags && { runTags: [...new Set(runTags)] }),
  ...(externalId !== undefined && { externalId }),
});

/** Whether the executions of a job are found by what its templates say. */
export const labelsRuns = ({ runTags, externalId }: Pick<JobDefinition, 'runTags' | 'externalId'>): boolean =>
  runTags !== undefined || externalId !== undefined;
