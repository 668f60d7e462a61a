import { SECOND_MS } from '../../core/clock/clock';
import { BULK_SCOPES } from '../../core/contracts/bulk';
import type { IdempotencyStamp } from '../../core/domain/job';
import { expiresAtSecAfter } from '../../core/domain/timing';
import { onceEach } from '../../core/delivery/checked-lookup';
import { BulkBody } from '../../core/http/bulk';
import type { BulkView } from '../../core/http/openapi/bulk';
import { canonicalJson } from '../http/json';
import { stampOf } from '../http/idempotency-key';
import { deliveryDepthOf } from '../http/loop-guard';
import { openCursor, sealCursor } from '../http/paging';
import { readBody } from '../http/parse-request';
import { conflict, forbidden, invalidField, keyReused, problemResponse } from '../http/problem';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { admitWrites } from '../admit-writes';
import { checkUntil } from '../jobs/pause-resume-job';
import { actOnItem } from './act-on-item';
import {
  bulkFailures,
  type BulkItem,
  type ItemSource,
  bulkJobs,
  type Selection,
  bulkLive,
} from './select-items';
import { type PageResult, runPage } from './run-page';

const MAX_MS = 10 * SECOND_MS;
/** Pass where the project has written its bytes of the day. */
const STOPS: readonly BulkBody['action'][] = ['pause', 'cancel', 'delete'];

/** Where a page begins. */
interface Position {
  /** Fixed by the first page: what was created or has failed later is left out. */
  begunAtMs: number;
  after?: string;
  /** Present while items are counted, before the first one is changed: how many there were so far. */
  counted?: number;
}

/**
 * 200 with what this page has done. Order of a bulk with `expect`: count all, over several pages if that
 * takes long → remember when it began, by the `Idempotency-Key` → act. Throws `ProblemError` 409 if the count
 * is another, and 429 or 503 if that stopped the very first item.
 */
export async function bulk(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const startedMs = deps.clock.monotonicMs();
  const isSpent = () => deps.clock.monotonicMs() - startedMs >= MAX_MS;
  const { cursor, limit, ...body } = readBody(request, BulkBody);
  checkScope(body.action, request);
  if (!STOPS.includes(body.action)) await admitWrites(request.project, deps);
  deliveryDepthOf(request); // a bad header is an error of the whole request, not of each item
  const stamp = stampOf(request, body);
  if (body.action === 'run' && !body.dryRun && !stamp)
    throw invalidField('Idempotency-Key', 'is required with the action "run"');

  // The cursor belongs to this body, as that of a list belongs to its query.
  const signed = { ...request, query: new Map([['bulk', [canonicalJson(body)]]]) };
  const seal = (position: Position) => sealCursor(JSON.stringify(position), signed, deps.secret);
  const given = await openCursor(cursor, signed, deps.secret);
  // No job could be paused so. On later pages, each job says so for itself, as some are done already.
  if (given === undefined && body.until !== undefined) checkUntil(body.until, deps.clock.nowMs());
  let position = await positionOf(given, body, stamp, request, deps);
  const select = () => sourceOf(body, { ...position, filter: body.filter, project: request.project }, deps);

  if (body.dryRun) {
    const { count, nextAfter } = await countItems(select(), position.after, isSpent);
    const nextCursor =
      nextAfter === undefined ? null : await seal({ begunAtMs: position.begunAtMs, after: nextAfter });
    return { status: 200, body: { ...NOTHING, matched: count, nextCursor } satisfies BulkView };
  }
  if (position.counted !== undefined) {
    const { count, nextAfter } = await countItems(select(), position.after, isSpent);
    const counted = position.counted + count;
    if (nextAfter !== undefined) {
      const nextCursor = await seal({ ...position, counted, after: nextAfter });
      return { status: 200, body: { ...NOTHING, nextCursor } satisfies BulkView };
    }
    if (counted !== body.expect)
      throw conflict(`expect is ${body.expect}, but the filter selects ${counted}; nothing was changed`);
    position = { begunAtMs: position.begunAtMs };
  }
  if (stamp && position.after === undefined) position = await begin(position, stamp, request, deps);

  const running = { request, body, begunAtMs: position.begunAtMs };
  const once = { ...deps, resolve: onceEach(deps.resolve) };
  const act = (item: BulkItem) => actOnItem(item, running, once);
  const page = await runPage(select(), position.after, { limit, act, isSpent });
  const { next } = page;
  const nextCursor = next ? await seal({ begunAtMs: position.begunAtMs, after: next.after }) : null;
  return responseOf(page, nextCursor, request);
}

const NOTHING = { matched: 0, done: 0, unchanged: 0, failed: [] };

function checkScope(action: BulkBody['action'], { scopes }: ApiRequest): void {
  const scope = BULK_SCOPES[action];
  if (!scopes.has(scope))
    throw forbidden(`the token or its role lacks the scope ${scope}, which the action ${action} needs`);
}

function sourceOf({ action }: Pick<BulkBody, 'action'>, selection: Selection, deps: ApiDeps): ItemSource {
  if (action === 'retry') return bulkFailures(selection, deps);
  return action === 'cancel' ? bulkLive(selection, deps) : bulkJobs(selection, deps);
}

/** By the cursor. A first page that repeats an `Idempotency-Key` belongs to the bulk that began with it. */
async function positionOf(
  given: string | undefined,
  { expect, dryRun }: Pick<BulkBody, 'expect' | 'dryRun'>,
  stamp: IdempotencyStamp | undefined,
  { project }: ApiRequest,
  { clock, requestKeys }: ApiDeps,
): Promise<Position> {
  if (given !== undefined) return JSON.parse(given) as Position;
  const begunAtMs = clock.nowMs();
  if (dryRun) return { begunAtMs };
  const known = stamp && (await requestKeys.get(project, stamp.keyHash));
  if (known) return { begunAtMs: begunAtOf(known, stamp) };
  return { begunAtMs, ...(expect !== undefined && { counted: 0 }) };
}

/** Remembers when the bulk began. Two equal requests at once begin at one time. */
async function begin(
  { begunAtMs }: Position,
  stamp: IdempotencyStamp,
  { project }: ApiRequest,
  { requestKeys, clock, retentionDays }: ApiDeps,
): Promise<Position> {
  const expiresAtSec = expiresAtSecAfter(clock.nowMs(), retentionDays);
  const resultId = String(begunAtMs);
  const known = await requestKeys.putUnlessKnown({ userId: project, ...stamp, resultId, expiresAtSec });
  return { begunAtMs: begunAtOf(known, stamp) };
}

function begunAtOf(known: { bodyHash: string; resultId: string }, stamp: IdempotencyStamp): number {
  if (known.bodyHash !== stamp.bodyHash) throw keyReused();
  return Number(known.resultId);
}

/** Counts from a position on. `nextAfter`: where to go on, if the time was used up. */
async function countItems(
  source: ItemSource,
  start: string | undefined,
  isSpent: () => boolean,
): Promise<{ count: number; nextAfter?: string }> {
  let count = 0;
  let after = start;
  do {
    const { items, nextAfter } = await source(after);
    count += items.length;
    after = nextAfter;
    if (after !== undefined && isSpent()) return { count, nextAfter: after };
  } while (after !== undefined);
  return { count };
}

function responseOf(page: PageResult, nextCursor: string | null, request: ApiRequest): ApiResponse {
  const { done, unchanged, stoppedBy } = page;
  const viewOf = (problem: NonNullable<typeof stoppedBy>) =>
    problemResponse(problem, request).body as NonNullable<BulkView['stoppedBy']>;
  const failed = page.failed.map(({ item: { job, execId }, problem }) => ({
    jobId: job.jobId,
    ...(execId !== undefined && { execId }),
    problem: viewOf(problem),
  }));
  const matched = done + unchanged + failed.length;
  if (stoppedBy && matched === 0) throw stoppedBy;
  const body: BulkView = {
    matched,
    done,
    unchanged,
    failed,
    ...(stoppedBy && { stoppedBy: viewOf(stoppedBy) }),
    nextCursor,
  };
  const retryAfter = stoppedBy?.headers['retry-after'];
  return { status: 200, ...(retryAfter !== undefined && { headers: { 'retry-after': retryAfter } }), body };
}
