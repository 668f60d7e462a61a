import type { JobDefinition } from '../../core/domain/job';
import type { ApiDeps } from '../request';
import type { JobChange } from './changes-of';

/** Changes with the workflows that their definitions name, as far as those are kept. */
export const withWorkflows = (
  jobKey: string,
  changes: readonly JobChange[],
  deps: Pick<ApiDeps, 'flows'>,
): Promise<JobChange[]> =>
  Promise.all(
    changes.map(async (change) => {
      const { definition } = change.state;
      const before = await withWorkflow(jobKey, change.before, deps);
      const present = await withWorkflow(jobKey, definition, deps);
      return {
        ...change,
        ...(before && { before }),
        state: { ...change.state, ...(present && { definition: present }) },
      };
    }),
  );

async function withWorkflow(
  jobKey: string,
  definition: JobDefinition | undefined,
  { flows }: Pick<ApiDeps, 'flows'>,
): Promise<JobDefinition | undefined> {
  if (!definition?.workflow) return definition;
  const flow = await flows.get(jobKey, definition.workflow.version);
  return { ...definition, workflow: { ...definition.workflow, ...(flow && { content: flow.workflow }) } };
}
