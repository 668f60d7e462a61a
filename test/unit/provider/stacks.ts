import { type DeployedJob, JOBS_RESOURCE } from '../../../lambdas/core/contracts/custom-resources';
import { provide } from '../../../lambdas/provider/provide';
import type { StackResponse } from '../../../lambdas/provider/respond';
import type { StackEvent } from '../../../lambdas/provider/stack-event';
import { COMMON, provider } from './provider-world';

export const TARGET = { type: 'http', url: 'https://example.com/jobs' };
export const SOURCE = 'billing';

export const every = (minutes: number): DeployedJob['definition'] => ({
  schedule: { type: 'interval', every: `${minutes}m` },
});
export const jobs = (...ids: string[]): DeployedJob[] =>
  ids.map((jobId) => ({ jobId, definition: every(5) }));
export const numbered = (count: number): string[] => Array.from({ length: count }, (_, at) => `job-${at}`);

interface Deployment {
  stack?: string;
  logicalId?: string;
  source?: string;
  allowRemovals?: number;
}

/** Stacks that define jobs of the project `alice`. */
export async function stacks() {
  const base = await provider();
  const { world, manifests } = base;
  let manifest = 0;
  let request = 0;
  const eventOf = (
    RequestType: StackEvent['RequestType'],
    wanted: readonly DeployedJob[],
    { stack = 'Shop', logicalId = 'Jobs', source = SOURCE, allowRemovals = 0 }: Deployment,
  ): StackEvent => {
    const url = `https://s3.test/${manifest++}.json`;
    manifests.set(url, JSON.stringify({ jobs: wanted }));
    return {
      ...COMMON,
      RequestType,
      RequestId: `request-${request++}`,
      StackId: `arn:aws:cloudformation:eu-central-1:111122223333:stack/${stack}/f0e1`,
      LogicalResourceId: logicalId,
      ResourceType: JOBS_RESOURCE,
      ...(RequestType !== 'Create' && { PhysicalResourceId: `alice/${logicalId}` }),
      ResourceProperties: {
        Project: 'alice',
        Source: source,
        Manifest: url,
        Target: JSON.stringify(TARGET),
        AllowRemovals: String(allowRemovals),
      },
    };
  };
  const ask =
    (type: StackEvent['RequestType']) =>
    (wanted: readonly DeployedJob[], deployment: Deployment = {}, deps = base.deps): Promise<StackResponse> =>
      provide(eventOf(type, wanted, deployment), deps);
  const [create, update, remove] = [ask('Create'), ask('Update'), ask('Delete')];
  const all = async () => {
    const { body } = await world.api('listJobs', {}, undefined, {}, { query: new Map([['limit', ['100']]]) });
    return (body as { items: { jobId: string; status: string; changeNumber: number; tags: object }[] }).items;
  };
  return {
    ...base,
    create,
    update,
    destroy: (deployment: Deployment = {}) => remove([], deployment),
    ids: async () => (await all()).map(({ jobId }) => jobId),
    /** Each job with the number of its changes: equal if nothing has changed. */
    states: async () => (await all()).map(({ jobId, status, changeNumber }) => [jobId, status, changeNumber]),
    /** Definitions alone: equal if all is as it was. */
    definitions: async () =>
      (await all()).map((job) => {
        const { jobId, status, tags, schedule } = job as typeof job & { schedule: object };
        return { jobId, status, tags, schedule };
      }),
  };
}

export const DONE = { Status: 'SUCCESS', PhysicalResourceId: 'alice/Jobs' };
