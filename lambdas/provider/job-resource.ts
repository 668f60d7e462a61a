import type { Clock } from '../core/clock/clock';
import type { JobProperties } from '../core/contracts/custom-resources';
import { expectStatus, type ProjectApi } from './project-api';
import { namedBy, physicalId, type ResourceRequest } from './stack-event';

interface JobDeps {
  api: ProjectApi;
  clock: Pick<Clock, 'sleep'>;
}

/**
 * Keeps a job as the stack defines it, and resolves to its physical id. Throws an Error that says what the
 * API refused.
 *
 * A create refuses a job that exists: to roll it back would delete a job that the stack has not made. An
 * update replaces whatever there is, since a rollback is an update to what was there before.
 */
export async function provideJob(request: ResourceRequest<JobProperties>, deps: JobDeps): Promise<string> {
  const { RequestType, PhysicalResourceId = '' } = request;
  if (RequestType === 'Delete') return deleteJob(PhysicalResourceId, deps);
  const { Project, JobId, Definition } = request.properties;
  const definition = JSON.parse(Definition) as object;
  await (RequestType === 'Create' ? createJob : putJob)(request, definition, deps);
  return physicalId(Project, JobId);
}

const createJob = (
  { RequestId, properties: { Project, JobId } }: ResourceRequest<JobProperties>,
  definition: object,
  { api, clock }: JobDeps,
) =>
  expectStatus(
    [201],
    () =>
      api(Project, {
        operation: 'createJob',
        body: { ...definition, jobId: JobId },
        headers: { 'idempotency-key': RequestId },
      }),
    clock,
  );

const putJob = (
  { properties: { Project, JobId } }: ResourceRequest<JobProperties>,
  definition: object,
  { api, clock }: JobDeps,
) =>
  expectStatus(
    [200, 201],
    () => api(Project, { operation: 'putJob', pathParameters: { jobId: JobId }, body: definition }),
    clock,
  );

/** A job that is gone already counts as deleted. */
async function deleteJob(physical: string, { api, clock }: JobDeps): Promise<string> {
  const named = namedBy(physical);
  if (named)
    await expectStatus(
      [200, 204, 404],
      () => api(named.project, { operation: 'deleteJob', pathParameters: { jobId: named.id } }),
      clock,
    );
  return physical;
}
