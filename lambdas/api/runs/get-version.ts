import type { VersionView } from '../../core/http/workflow-answers';
import { jobKeyOf } from '../../core/contracts/tables';
import { workflowView } from '../jobs/job-view';
import { requestedJob } from '../http/parse-request';
import { notFound } from '../http/problem';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { versionView } from './list-versions';

const VERSION = /^[A-Za-z0-9_-]{22}$/;

/** 200 with a kept version of a job's workflow. */
export async function getVersion(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const ref = requestedJob(request);
  const { version = '' } = request.params;
  const [job, flow] = await Promise.all([
    deps.jobs.get(ref),
    VERSION.test(version) ? deps.flows.get(jobKeyOf(ref), version) : undefined,
  ]);
  if (!flow) throw notFound('version');
  const body: VersionView = {
    ...versionView(flow, job?.workflow?.version),
    workflow: workflowView(flow.workflow),
  };
  return { status: 200, body };
}
