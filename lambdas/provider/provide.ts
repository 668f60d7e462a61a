import type { Clock } from '../core/clock/clock';
import {
  JOB_RESOURCE,
  type JobProperties,
  JOBS_RESOURCE,
  type JobsProperties,
  KEY_RESOURCE,
  type KeyProperties,
} from '../core/contracts/custom-resources';
import { isReservedName } from '../core/contracts/projects';
import type { Log } from '../core/telemetry/telemetry';
import { provideJob } from './job-resource';
import { provideJobs } from './jobs-resource';
import { provideKey } from './key-resource';
import type { ProjectApi } from './project-api';
import type { StackResponse } from './respond';
import { failedId, type ResourceRequest, type StackEvent } from './stack-event';

export interface ProvideDeps {
  api: ProjectApi;
  putSecret(secretArn: string, value: string): Promise<void>;
  /** The text of a manifest in S3. */
  readManifest(url: string): Promise<string>;
  clock: Pick<Clock, 'nowMs' | 'sleep'>;
  log: Log;
}

/** CloudFormation accepts 4,096 bytes in all. */
const MAX_REASON = 1_000;

/** Does what a stack asks for one of its resources. Never rejects: the response tells of a failure. */
export async function provide(event: StackEvent, deps: ProvideDeps): Promise<StackResponse> {
  const { StackId, RequestId, LogicalResourceId, PhysicalResourceId } = event;
  const common = { StackId, RequestId, LogicalResourceId };
  try {
    return { ...common, Status: 'SUCCESS', PhysicalResourceId: await resourceOf(event, deps) };
  } catch (error) {
    deps.log.error('a resource could not be provided', error, { LogicalResourceId, RequestId });
    const Reason = (error instanceof Error ? error.message : String(error)).slice(0, MAX_REASON);
    return {
      ...common,
      Status: 'FAILED',
      Reason,
      PhysicalResourceId: PhysicalResourceId ?? failedId(RequestId),
    };
  }
}

function resourceOf(event: StackEvent, deps: ProvideDeps): Promise<string> {
  const { ResourceType } = event;
  const { Project = '' } = event.ResourceProperties;
  // The API lets parts of the deployment into such a project, but none of the project's keys.
  if (event.RequestType !== 'Delete' && isReservedName(Project))
    throw new Error(`the project ${Project} is kept for the deployment itself`);
  if (ResourceType === JOB_RESOURCE) return provideJob(requestOf<JobProperties>(event), deps);
  if (ResourceType === JOBS_RESOURCE) return provideJobs(requestOf<JobsProperties>(event), deps);
  if (ResourceType === KEY_RESOURCE) return provideKey(requestOf<KeyProperties>(event), deps);
  throw new Error(
    `no resource of type ${ResourceType}; expected ${JOB_RESOURCE}, ${JOBS_RESOURCE} or ${KEY_RESOURCE}`,
  );
}

function requestOf<Properties>(event: StackEvent): ResourceRequest<Properties> {
  const { RequestType, RequestId, PhysicalResourceId, StackId, LogicalResourceId } = event;
  return {
    ...{ RequestType, RequestId, PhysicalResourceId, StackId, LogicalResourceId },
    properties: event.ResourceProperties as unknown as Properties,
    old: event.OldResourceProperties as Properties | undefined,
  };
}
