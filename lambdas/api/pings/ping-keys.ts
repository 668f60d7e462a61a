import { badgeKeyOf, pingIdOf, pingKeyOf, projectKeyOf, SLUG } from '../../core/api-keys/ping-key';
import { DAY_MS, instantText } from '../../core/clock/clock';
import { monitorTargetOf } from '../../core/domain/entry-planning';
import type { Job } from '../../core/domain/job';
import { expiresAtSecAfter } from '../../core/domain/timing';
import { RotatePingBody } from '../../core/http/ping';
import type { PingKeyView } from '../../core/http/openapi/ping';
import type { PingKey } from '../../core/store/ping-key-store';
import { audited } from '../audit/audited';
import { readOptionalBody, requestedJob } from '../http/parse-request';
import { conflict, notFound } from '../http/problem';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';

/** How long the URL before works beside the new one. */
const EARLIER_MS = DAY_MS;
const MAX_TRIES = 5;

/** 200 with the URL of a monitor. Throws `ProblemError` 404, and 409 for a job of another kind. */
export async function getPingKey(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const job = await monitorOf(request, deps);
  return { status: 200, body: await keyView(await keyOf(job, deps), job, request, deps) };
}

/** 200 with the next URL of a monitor. The one before works for another day, unless `now` is true. */
export async function rotatePingKey(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { now = false } = readOptionalBody(request, RotatePingBody);
  const job = await monitorOf(request, deps);
  const change = { what: 'ping-key.rotated', resource: `job ${job.jobId}` } as const;
  return audited(request, change, () => rotate(job, now, request, deps), deps);
}

async function rotate(job: Job, now: boolean, request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const next = await nextVersion(() => keyOf(job, deps), now, deps);
  return { status: 200, body: await keyView(next, job, request, deps) };
}

type Rotated = Pick<PingKey, 'pingId' | 'version' | 'earlierUntilMs'> & { createdAtMs?: number };

/** The key after a rotation. Throws `ProblemError` 409 if other requests keep rotating it. */
export async function nextVersion<Key extends Rotated>(
  read: () => Promise<Key>,
  now: boolean,
  { pingKeys, clock }: Pick<ApiDeps, 'pingKeys' | 'clock'>,
): Promise<Key> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const seen = await read();
    const earlierUntilMs = now ? undefined : clock.nowMs() + EARLIER_MS;
    if ((await pingKeys.rotate(seen, earlierUntilMs)) === 'done')
      return { ...seen, version: seen.version + 1, earlierUntilMs };
  }
  throw conflict('other requests keep rotating the key; read it again and repeat the request');
}

async function monitorOf(request: ApiRequest, deps: ApiDeps): Promise<Job> {
  const job = await deps.jobs.get(requestedJob(request));
  if (!job) throw notFound('job');
  if (!monitorTargetOf(job)) throw conflict(`the job has no target of type "monitor": nothing pings for it`);
  return job;
}

/** A table that was restored may have lost the row. */
async function keyOf(job: Job, deps: ApiDeps): Promise<PingKey> {
  const pingId = pingIdOf(job, await deps.secret.get());
  const known = await deps.pingKeys.get(pingId);
  if (known) return known;
  const { userId, jobId } = job;
  await deps.pingKeys.keep({ pingId, userId, jobId });
  return (await deps.pingKeys.get(pingId)) ?? { pingId, userId, jobId, version: 1 };
}

async function keyView(
  { version, earlierUntilMs }: Rotated,
  job: Job,
  { origin = '' }: ApiRequest,
  { pingKeys, secret, clock }: ApiDeps,
): Promise<PingKeyView> {
  const bytes = await secret.get();
  const ofProject = await pingKeys.getOfProject(pingIdOf({ userId: job.userId }, bytes));
  const isSlug = SLUG.test(job.jobId);
  return {
    url: `${origin}/p/${pingKeyOf(job, version, bytes)}`,
    ...(ofProject &&
      isSlug && {
        slugUrl: `${origin}/s/${projectKeyOf(ofProject, ofProject.version, bytes)}/${job.jobId}`,
      }),
    badgeUrl: `${origin}/badges/${badgeKeyOf(job, version, bytes)}.svg`,
    ...versionView({ version, earlierUntilMs }, clock.nowMs()),
  };
}

/** The version of a key, and until when the one before works too. */
export const versionView = (
  { version, earlierUntilMs = 0 }: Pick<Rotated, 'version' | 'earlierUntilMs'>,
  nowMs: number,
) => ({ version, ...(earlierUntilMs > nowMs && { earlierUntil: instantText(earlierUntilMs) }) });

type KeepingDeps = Pick<ApiDeps, 'pingKeys' | 'secret' | 'clock' | 'retentionDays'>;

/** Makes the row by which pings find a monitor, before the job is written. Other jobs cost nothing. */
export async function keepPingKey(
  current: Job | undefined,
  job: Job,
  { pingKeys, secret }: KeepingDeps,
): Promise<void> {
  if (!monitorTargetOf(job) || (current && monitorTargetOf(current))) return;
  const { userId, jobId } = job;
  await pingKeys.keep({ pingId: pingIdOf(job, await secret.get()), userId, jobId });
}

/** After the job is deleted, or is no monitor any more. The row stays as long as it can be restored. */
export async function expirePingKey(
  before: Job,
  after: Job | undefined,
  { pingKeys, secret, clock, retentionDays }: KeepingDeps,
): Promise<void> {
  if (!monitorTargetOf(before) || (after && monitorTargetOf(after))) return;
  const pingId = pingIdOf(before, await secret.get());
  await pingKeys.expire(pingId, expiresAtSecAfter(clock.nowMs(), retentionDays));
}
