import { execIdOfOccurrence } from '../../../../lambdas/core/contracts/tables';
import type { AttemptRecord } from '../../../../lambdas/core/domain/execution';
import type { Reason } from '../../../../lambdas/core/domain/reason';
import { anAttempt } from '../../../support/factories';
import { jobIdAt } from '../lists';
import { type Answered, ApiWorld, type CallOptions } from '../world';

export const bulk = (world: ApiWorld, body: object, options: CallOptions = {}): Promise<Answered> =>
  world.call('POST /v1/bulk', {}, { filter: {}, ...body }, options);

/** All pages of a bulk, each with the cursor of the one before. */
export async function allPages(
  world: ApiWorld,
  body: object,
  options: CallOptions = {},
): Promise<Answered[]> {
  const pages = [await bulk(world, body, options)];
  for (let last = pages[0]!; last.body.nextCursor !== null; last = pages.at(-1)!) {
    if (pages.length > 50) throw new Error('the bulk does not end');
    pages.push(await bulk(world, { ...body, cursor: last.body.nextCursor }, options));
  }
  return pages;
}

/** `job-000` and on: one is created by the API, the others are copies of its row, which is faster. */
export async function worldWithCopies(count: number): Promise<ApiWorld> {
  const world = new ApiWorld();
  await world.create({ jobId: jobIdAt(0) });
  const first = (await world.jobRow(jobIdAt(0)))!;
  for (let at = 1; at < count; at++)
    await world.deps.jobs.create({
      ...first,
      jobId: jobIdAt(at),
      etag: world.random.id(),
      revision: world.random.id(),
    });
  return world;
}

/** An execution that failed some time ago, after one attempt. */
export async function failed(
  world: ApiWorld,
  jobId: string,
  agoMs: number,
  {
    record = {},
    reason = 'fatal',
    blocksKey,
    orderingKey,
    tookMs = 5,
    body,
  }: {
    record?: Partial<AttemptRecord>;
    reason?: Reason;
    blocksKey?: true;
    orderingKey?: string;
    tookMs?: number;
    body?: string;
  } = {},
): Promise<string> {
  const dueAtMs = world.clock.nowMs() - agoMs;
  const execId = execIdOfOccurrence(dueAtMs);
  const ref = { jobKey: world.jobKey(jobId), execId };
  const claimId = `claim-${execId}`;
  const finishedAtMs = dueAtMs + tookMs;
  const claim = { attempt: 1, claimId, trigger: 'schedule', dueAtMs, nowMs: dueAtMs, orderingKey } as const;
  await world.deps.executions.claim({ ...ref, ...claim });
  const attempt = anAttempt({ startedAtMs: dueAtMs, finishedAtMs, outcome: 'fatal', ...record });
  const result = body === undefined ? undefined : { statusCode: attempt.statusCode, body };
  await world.deps.ends.finish(
    { ...ref, claimId, fence: 1, attempt: 1 },
    { status: 'failed', reason, result, blocksKey, finishedAtMs, expiresAtSec: 2e9 },
    [attempt],
  );
  return execId;
}
