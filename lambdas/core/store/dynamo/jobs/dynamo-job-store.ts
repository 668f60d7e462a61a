import type { JobRef } from '../../../contracts/tables';
import type { Job } from '../../../domain/job';
import type { JobStore } from '../../job-store';
import type { WriteOptions } from '../../write-options';
import type { TableAccess } from '../access';
import { DeleteCommand } from '../commands';
import { conditionalDelete, conditionalPut, conditionalUpdate } from '../conditional-write';
import { allOf, anyOf } from '../expressions';
import { jobOf, jobRowKey, jobRowOf } from './job-row';
import { cursorAt, listJobs, readJob, readManyJobs, scanJobs } from './read-jobs';

/** The jobs of the Jobs table, and the writes of a job on its own row. */
export const dynamoJobStore = (access: TableAccess): JobStore => ({
  create: (job, options) => createJob(access, job, options),
  replace: (job, seenEtag, options) => replaceJob(access, job, seenEtag, options),
  remove: (ref, seenEtag, options) => removeJob(access, ref, seenEtag, options),
  get: (ref) => readJob(access, ref),
  getMany: (jobKeys, options) => readManyJobs(access, jobKeys, options),
  list: (userId, page) => listJobs(access, userId, page),
  setAwaited: (ref, atMs) => setAwaited(access, ref, atMs),
  clearAwaited: (ref, seenMs) => clearAwaited(access, ref, seenMs),
  scan: (page) => scanJobs(access, page),
  cursorAt,
});

const isNew = 'attribute_not_exists(#jobId)';
const MAX_TRIES = 3;

/**
 * Key: the job's. Condition: no such job. Cost: 1 write unit a KB.
 * Lost race: `exists` with the row that was first. A row written by an earlier try of this call, whose answer
 * was lost, is recognised by its etag, which no other call has.
 */
async function createJob(
  access: TableAccess,
  job: Job,
  options?: WriteOptions,
): Promise<{ outcome: 'created' } | { outcome: 'exists'; current: Job }> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const answer = await conditionalPut(access, { Item: jobRowOf(job), ConditionExpression: isNew }, options);
    if (answer.applied) return { outcome: 'created' };
    const current = answer.current ? jobOf(answer.current) : await readJob(access, job);
    if (current?.etag === job.etag) return { outcome: 'created' };
    if (current) return { outcome: 'exists', current };
    // Deleted between the write and the read: the id is free again.
  }
  throw new Error(
    `job ${JSON.stringify(job.jobId)} was created and deleted ${MAX_TRIES} times by other requests`,
  );
}

const isAsSeen = '#etag = :seenEtag';
/** `setAwaited` leaves the etag as it is: a replacement must not undo it. */
const isNotAwaited = 'attribute_not_exists(#awaitedAtMs)';
const isAwaitedAsSeen = '#awaitedAtMs = :awaitedAtMs';

/**
 * Key: the job's. Condition: the row has the etag and the `awaitedAtMs` seen. Cost: 1 write unit a KB of
 * the larger of old and new. Lost race: `changed` with the row as it is, or without one if it is gone. A
 * row with the new etag was written by an earlier try of this call.
 */
async function replaceJob(
  access: TableAccess,
  job: Job,
  seenEtag: string,
  options?: WriteOptions,
): Promise<{ outcome: 'replaced' } | { outcome: 'changed'; current?: Job }> {
  const { awaitedAtMs } = job;
  const row = {
    Item: jobRowOf(job),
    ConditionExpression: allOf(isAsSeen, awaitedAtMs === undefined ? isNotAwaited : isAwaitedAsSeen),
    ExpressionAttributeValues: {
      ':seenEtag': seenEtag,
      ...(awaitedAtMs !== undefined && { ':awaitedAtMs': awaitedAtMs }),
    },
  };
  const answer = await conditionalPut(access, row, options);
  if (answer.applied) return { outcome: 'replaced' };
  const current = answer.current ? jobOf(answer.current) : await readJob(access, job);
  if (current?.etag === job.etag) return { outcome: 'replaced' };
  return { outcome: 'changed', current };
}

const isGone = 'attribute_not_exists(#jobId)';

/**
 * Key: the job's. Condition: the row is gone already, so a repeated delete is no conflict, or has the etag
 * seen. No condition without an etag. Cost: 1 write unit a KB of the row. Lost race: `changed` with the row
 * as it is.
 */
async function removeJob(
  access: TableAccess,
  ref: JobRef,
  seenEtag?: string,
  options?: WriteOptions,
): Promise<{ outcome: 'deleted' } | { outcome: 'changed'; current: Job }> {
  if (seenEtag === undefined) {
    const command = new DeleteCommand({ TableName: access.table, Key: jobRowKey(ref) });
    await access.documents.send(command, options);
    return { outcome: 'deleted' };
  }
  const input = {
    Key: jobRowKey(ref),
    ConditionExpression: anyOf(isGone, isAsSeen),
    ExpressionAttributeValues: { ':seenEtag': seenEtag },
  };
  const answer = await conditionalDelete(access, input, options);
  if (answer.applied) return { outcome: 'deleted' };
  const current = answer.current ? jobOf(answer.current) : await readJob(access, ref);
  return current ? { outcome: 'changed', current } : { outcome: 'deleted' };
}

const exists = 'attribute_exists(#etag)';
const isAwaitedSince = '#awaitedAtMs = :seenMs';

/** Key: the job's. Condition: there is such a job. Cost: 1 write unit a KB of the row. */
async function setAwaited(access: TableAccess, ref: JobRef, atMs: number): Promise<'done' | 'missing'> {
  const answer = await conditionalUpdate(access, {
    Key: jobRowKey(ref),
    ConditionExpression: exists,
    UpdateExpression: 'SET #awaitedAtMs = :atMs',
    ExpressionAttributeValues: { ':atMs': atMs },
  });
  return answer.applied ? 'done' : 'missing';
}

/**
 * Key: the job's. Condition: recorded as seen. Cost: 1 write unit a KB of the row. Lost race: nothing is
 * written.
 */
async function clearAwaited(access: TableAccess, ref: JobRef, seenMs: number): Promise<void> {
  await conditionalUpdate(access, {
    Key: jobRowKey(ref),
    ConditionExpression: isAwaitedSince,
    UpdateExpression: 'REMOVE #awaitedAtMs',
    ExpressionAttributeValues: { ':seenMs': seenMs },
  });
}
