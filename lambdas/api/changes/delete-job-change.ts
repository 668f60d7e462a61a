import { jobKeyOf } from '../../core/contracts/tables';
import { audited } from '../audit/audited';
import { conflict, notFound } from '../http/problem';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { findChange } from './find-change';

/** 204. The change stays in the list, without its definition. The present definition cannot be deleted. */
export async function deleteJobChange(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { ref, job, change } = await findChange(request, deps);
  const { number, state } = change;
  if (state.etag === job?.etag)
    throw conflict(`change ${number} led to the definition that the job has; change or delete the job first`);
  if (change.what === 'deleted') throw conflict(`change ${number} deleted the job, and has no definition`);
  const resource = `${ref.jobId}/${number}`;
  await audited(
    request,
    { what: 'job-change.deleted', resource },
    async () => {
      if (!(await deps.changes.erase(jobKeyOf(ref), state))) throw notFound('change');
    },
    deps,
  );
  return { status: 204 };
}
