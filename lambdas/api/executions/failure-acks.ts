import { DAY_MS, instantText } from '../../core/clock/clock';
import {
  type FailureAck,
  MAX_ACK_DAYS,
  MAX_FAILURE_ACKS,
  MAX_JOBS_OF_ACK,
} from '../../core/domain/failure-ack';
import { DeleteFailureAckQuery, FailureAckBody, ListFailureAcksQuery } from '../../core/http/failure-ack';
import { audited } from '../audit/audited';
import { listByName } from '../http/list-by-name';
import { readBody, readQuery } from '../http/parse-request';
import { conflict, invalidField, notFound } from '../http/problem';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { failureAckView } from './failure-ack-view';
import { failureWindow, passesFailure } from './failure-filter';
import { countFailures } from './group-failures';

/** 200 with a page of the project's acknowledged causes, by fingerprint. */
export async function listFailureAcks(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const query = readQuery(request, ListFailureAcksQuery);
  const show = { nameOf: ({ fingerprint }: FailureAck) => fingerprint, view: failureAckView };
  return listByName(await presentAcks(request.project, deps), show, query, request, deps);
}

/** 201, or 200 if the cause was acknowledged before. Throws `ProblemError` 404 if nothing has failed so. */
export async function putFailureAck(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { fingerprint, note, until } = readBody(request, FailureAckBody);
  const { project, by } = request;
  const atMs = deps.clock.nowMs();
  if (until <= atMs || until > atMs + MAX_ACK_DAYS * DAY_MS)
    throw invalidField('until', `must be within the next ${MAX_ACK_DAYS} days`);
  const failed = await jobsWith(fingerprint, project, deps);
  if (failed.length === 0) throw notFound('failure');
  const change = {
    what: 'failure.acknowledged',
    resource: fingerprint,
    detail: `until ${instantText(until)}`,
  } as const;
  return audited(
    request,
    change,
    async () => {
      const acks = await presentAcks(project, deps);
      const before = acks.find((one) => one.fingerprint === fingerprint);
      if (!before && acks.length >= MAX_FAILURE_ACKS)
        throw conflict(`a project has at most ${MAX_FAILURE_ACKS} acknowledgements; take one back`);
      const jobIds = [...new Set([...(before?.jobIds ?? []), ...failed])].sort();
      if (jobIds.length > MAX_JOBS_OF_ACK)
        throw conflict(
          `${jobIds.length} jobs have failed so, and at most ${MAX_JOBS_OF_ACK} can be acknowledged together: pause them, or retry them`,
        );
      const ack: FailureAck = {
        project,
        fingerprint,
        ...(note && { note }),
        atMs,
        untilMs: until,
        by,
        jobIds,
        expiresAtSec: Math.ceil(until / 1_000),
      };
      await deps.failureAcks.put(ack);
      return { status: before ? 200 : 201, body: failureAckView(ack) };
    },
    deps,
  );
}

/** 204. Throws `ProblemError` 404 if the cause is not acknowledged. */
export async function deleteFailureAck(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { fingerprint } = readQuery(request, DeleteFailureAckQuery);
  const acks = await presentAcks(request.project, deps);
  if (!acks.some((one) => one.fingerprint === fingerprint)) throw notFound('acknowledgement');
  const change = { what: 'failure.ack-removed', resource: fingerprint } as const;
  await audited(request, change, () => deps.failureAcks.remove(request.project, fingerprint), deps);
  return { status: 204 };
}

/** TTL removes rows late. */
async function presentAcks(project: string, { failureAcks, clock }: ApiDeps): Promise<FailureAck[]> {
  const nowMs = clock.nowMs();
  return (await failureAcks.list(project)).filter(({ untilMs }) => nowMs < untilMs);
}

/** The jobs that have failed so in the last week. */
async function jobsWith(fingerprint: string, project: string, deps: ApiDeps): Promise<string[]> {
  const nowMs = deps.clock.nowMs();
  const window = failureWindow({}, nowMs, deps);
  const { groups } = await countFailures(
    {
      read: (after, limit) => deps.executions.listFailures(project, { ...window, after, limit }),
      keep: (rows) => Promise.resolve(rows.filter((row) => passesFailure(row, { fingerprint }, nowMs))),
    },
    deps,
  );
  return [...(groups.get(fingerprint)?.jobs.keys() ?? [])];
}
