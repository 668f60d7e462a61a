import { jobKeyOf, type JobRef } from '../../core/contracts/tables';
import { ListChangesQuery } from '../../core/http/queries';
import type { Job, JobDefinition } from '../../core/domain/job';
import { instantText } from '../../core/clock/clock';
import type { ChangeView } from '../../core/http/openapi/change';
import { filteredPage, openCursor, pageView } from '../http/paging';
import { readQuery, requestedJob } from '../http/parse-request';
import { notFound, conflict } from '../http/problem';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { audited } from '../audit/audited';
import { definitionView } from '../jobs/job-view';
import { isObject, patchBetween } from '../jobs/merge-patch';
import { changesOf, type JobChange, withPresent, findChange } from './find-change';

/** 200 with a page of the changes of all jobs that have had the id, newest first. */
export async function listJobChanges(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const ref = requestedJob(request);
  const query = readQuery(request, ListChangesQuery);
  const after = await openCursor(query.cursor, request, deps.secret);
  const job = await deps.jobs.get(ref);
  const page = await filteredPage<JobChange>({
    after,
    limit: query.limit,
    read: (from, limit) => readChanges(ref, job, { after: from, limit }, deps),
    positionOf,
    keep: (changes) => changes,
  });
  if (after === undefined && page.items.length === 0) throw notFound('job');
  const items = await withWorkflows(jobKeyOf(ref), page.items, deps);
  return {
    status: 200,
    body: await pageView({ ...page, items }, { view: changeView(request), positionOf }, request, deps),
  };
}

const positionOf = ({ position }: JobChange): string => position;

/**
 * At least `limit` changes after a position, if there are as many. Reads the state at the position again: it
 * tells whether the one below was deleted. Reads one state more, from which the last change began.
 */
async function readChanges(
  ref: JobRef,
  job: Job | undefined,
  { after, limit }: { after: string | undefined; limit: number },
  deps: ApiDeps,
): Promise<{ rows: JobChange[]; nextAfter?: string }> {
  const kept = await deps.changes.list(jobKeyOf(ref), {
    ...(after !== undefined && { before: `${after}#` }), // above the state of that position
    limit: limit + 2,
  });
  const changes = changesOf(withPresent(kept.states, job), job);
  if (kept.nextBefore !== undefined) changes.pop();
  const rows = changes.filter(({ position }) => after === undefined || position < after);
  const last = rows.at(-1);
  return { rows, ...(kept.nextBefore !== undefined && last && { nextAfter: positionOf(last) }) };
}

/** 200 with one change. */
export async function getJobChange(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { ref, change } = await findChange(request, deps);
  const [shown] = await withWorkflows(jobKeyOf(ref), [change], deps);
  return { status: 200, body: changeView(request)(shown!) };
}

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

/** Shows a change to the sender of a request: values of secret headers only to one with `jobs:write`. */
const changeView =
  ({ scopes }: Pick<ApiRequest, 'scopes'>) =>
  (change: JobChange): ChangeView => {
    const shown = scopes.has('jobs:write') ? (fields: Fields) => fields : withoutSecrets;
    const { number, what, state, before } = change;
    const { atMs, by, note } = what === 'deleted' ? state.removed! : state;
    const head = {
      number,
      what,
      at: instantText(atMs),
      by: by ?? null,
      note: note ?? null,
      createdAt: instantText(state.createdAtMs),
    };
    if (what === 'deleted') return { ...head, status: null, patch: null, definition: null };
    const { lastChange, resumeAtMs, definition } = state;
    const patch = before && definition && patchBetween(shownFields(before), shownFields(definition));
    return {
      ...head,
      ...(lastChange?.what === 'restored' && { restoredFrom: lastChange.from }),
      status: state.status,
      ...(resumeAtMs !== undefined && { pausedUntil: instantText(resumeAtMs) }),
      patch: patch ? shown(patch) : null,
      definition: definition ? (shown(shownFields(definition)) as ChangeView['definition']) : null,
    };
  };

type Fields = Record<string, unknown>;

const shownFields = (definition: JobDefinition): Fields => ({ ...definitionView(definition) });

/** Headers whose values are secrets by their names. */
const SECRET_HEADER = /^(?:authorization|cookie|x-api-key|.*-(?:token|secret))$/i;
const HIDDEN = '[hidden]';

/** The fields of a definition or patch, without the values of secret headers. */
const withoutSecrets = (fields: Fields): Fields => ({
  ...fields,
  ...(Object.hasOwn(fields, 'target') && { target: targetWithoutSecrets(fields.target) }),
  ...(Array.isArray(fields.targets) && { targets: fields.targets.map(targetWithoutSecrets) }),
});

function targetWithoutSecrets(target: unknown): unknown {
  if (!isObject(target) || !isObject(target.headers)) return target;
  const headers = Object.entries(target.headers).map(([name, value]) => {
    const isSecret = SECRET_HEADER.test(name) && value !== null; // null, in a patch: the header was removed
    return [name, isSecret ? HIDDEN : value];
  });
  return { ...target, headers: Object.fromEntries(headers) };
}

/** Changes with the workflows that their definitions name, as far as those are kept. */
const withWorkflows = (
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
