import { instantText } from '../../core/clock/clock';
import type { VersionView } from '../../core/http/openapi/workflow-answers';
import { ListVersionsQuery } from '../../core/http/workflow-queries';
import { jobKeyOf } from '../../core/contracts/tables';
import type { FlowHead } from '../../core/store/flow-store';
import { openCursor, pageView } from '../http/paging';
import { readQuery, requestedJob } from '../http/parse-request';
import { notFound } from '../http/problem';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { workflowView } from '../jobs/job-view';

/** 200 with the kept versions of a job's workflow, the highest number first. */
export async function listVersions(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const ref = requestedJob(request);
  const query = readQuery(request, ListVersionsQuery);
  const after = await openCursor(query.cursor, request, deps.secret);
  const [job, heads] = await Promise.all([deps.jobs.get(ref), deps.flows.list(jobKeyOf(ref))]);
  if (!job && heads.length === 0) throw notFound('job');
  const sorted = heads.toSorted((a, b) => (positionOf(a) < positionOf(b) ? 1 : -1));
  const rest = sorted.filter((head) => after === undefined || positionOf(head) < after);
  const items = rest.slice(0, query.limit);
  const last = rest.length > query.limit ? items.at(-1) : undefined;
  const page = { items, ...(last && { nextAfter: positionOf(last) }) };
  const view = (head: FlowHead) => versionView(head, job?.workflow?.version);
  return { status: 200, body: await pageView(page, { view, positionOf }, request, deps) };
}

const NUMBER_DIGITS = 10;

const positionOf = ({ number, version }: FlowHead): string =>
  `${String(number).padStart(NUMBER_DIGITS, '0')}#${version}`;

const versionView = ({ version, number, savedAtMs }: FlowHead, current: string | undefined): VersionView => ({
  version,
  number,
  savedAt: instantText(savedAtMs),
  isCurrent: version === current,
});

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
