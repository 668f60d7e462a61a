import { projectKeyBy } from '../../core/api-keys/find-project-key';
import { SLUG } from '../../core/api-keys/ping-key';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/clock/clock';
import { minuteOf } from '../../core/contracts/tables';
import { monitorTargetOf } from '../../core/domain/entry-planning';
import type { Job } from '../../core/domain/job';
import { NewMonitorBody } from '../../core/http/ping';
import type { ProjectPingKey } from '../../core/store/ping-key-store';
import { admitWrites } from '../admit-writes';
import { audited } from '../audit/audited';
import { readBody } from '../http/parse-request';
import { conflict, invalidField, ProblemError, tooMany, unauthorized } from '../http/problem';
import { createJob } from '../jobs/create-job';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';

/** What one key may make. */
const LIMITS = { perMinute: 20, inAll: 500 };

/** A day and an hour: what runs once a day may take its time. */
const EXPECT_EVERY_HOURS = 25;

const DEFINITION = {
  schedule: { type: 'none' },
  target: { type: 'monitor', pingWithin: '1h' },
  tags: { monitor: 'auto' },
};

/**
 * 201 with a new monitor, or 200 if there is one with the id. The key of a project is the right to it. The
 * job is made as a user makes one, in the project of the key. Throws `ProblemError` 401 for a key that may
 * not make monitors, 409 if another kind of job has the id, and 429.
 */
export async function provisionMonitor(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const key = await makingKeyOf(request, deps);
  await deps.quotas.chargeRate(key.userId, 'requests');
  const { jobId } = readBody(request, NewMonitorBody);
  if (!SLUG.test(jobId)) throw invalidField('jobId', 'must be lower case letters, digits, "_" or "-"');
  const ref = { userId: key.userId, jobId };
  const known = await deps.jobs.get(ref);
  if (known) return answerFor(known);
  await admitWrites(key.userId, deps);
  const made = await count(key, deps);
  try {
    await deps.written.during(key.userId, () => make(jobId, key, request, deps));
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error; // it may have been made
    await deps.pingKeys.uncountMade(key.pingId, made);
    const winner = await deps.jobs.get(ref);
    if (!winner) throw error;
    return answerFor(winner);
  }
  return { status: 201, body: { jobId } };
}

/** All that is wrong with a key has the same answer. */
async function makingKeyOf({ headers }: ApiRequest, deps: ApiDeps): Promise<ProjectPingKey> {
  const text = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  const key = text === undefined ? undefined : await projectKeyBy(text, deps);
  if (key?.allowCreate) return key;
  throw unauthorized('expected "Authorization: Bearer" with a key for pings that may make monitors');
}

function answerFor(job: Job): ApiResponse {
  if (!monitorTargetOf(job)) throw conflict(`the jobId ${JSON.stringify(job.jobId)} is that of another job`);
  return { status: 200, body: { jobId: job.jobId } };
}

/** How many monitors the key has made by now. */
async function count({ pingId }: ProjectPingKey, { pingKeys, clock }: ApiDeps): Promise<number> {
  const nowMs = clock.nowMs();
  const counted = await pingKeys.countMade(pingId, minuteOf(nowMs), LIMITS);
  if (typeof counted === 'number') return counted;
  const most = counted === 'full' ? `${LIMITS.inAll} in all` : `${LIMITS.perMinute} a minute`;
  throw tooMany(`the key makes ${most} at most`, MINUTE_MS - (nowMs % MINUTE_MS));
}

/** As long as the deployment allows, where that is less. */
const expectEveryIn = ({ retentionDays }: Pick<ApiDeps, 'retentionDays'>): string =>
  `${Math.min(EXPECT_EVERY_HOURS, ((retentionDays - 1) * DAY_MS) / HOUR_MS)}h`;

/** By the key, and by nothing else that came with the request: no note, no trace, no depth. */
async function make(
  jobId: string,
  key: ProjectPingKey,
  { trace: _, ...request }: ApiRequest,
  deps: ApiDeps,
): Promise<ApiResponse> {
  const asKey: ApiRequest = {
    ...request,
    project: key.userId,
    by: { sub: key.setBy, name: null, via: `key:${key.name}` },
    headers: {},
    body: JSON.stringify({ jobId, expectEvery: expectEveryIn(deps), ...DEFINITION }),
  };
  const change = { what: 'monitor.created', resource: `job ${jobId}` } as const;
  return audited(asKey, change, () => createJob(asKey, deps), deps);
}
