import { type ProjectKeyDeps, projectKeyBy } from '../core/api-keys/find-project-key';
import { badgeKeyOf, isKeyNow, pingIdIn, pingKeyOf } from '../core/api-keys/ping-key';
import { monitorTargetOf } from '../core/domain/entry-planning';
import type { Job } from '../core/domain/job';
import type { MonitorTarget } from '../core/domain/target';
import type { JobStore } from '../core/store/job-store';
import type { PingKeyStore, ProjectPingKey } from '../core/store/ping-key-store';

export interface FindingDeps extends ProjectKeyDeps {
  pingKeys: Pick<PingKeyStore, 'get' | 'getOfProject'>;
  jobs: Pick<JobStore, 'get'>;
}

export interface Monitor {
  job: Job;
  target: MonitorTarget;
}

const MADE_BY = { qjp: pingKeyOf, qjb: badgeKeyOf };

/** The monitor of a key; undefined also if the key is wrong, or of an earlier version. */
export async function monitorOfKey(
  text: string,
  kind: keyof typeof MADE_BY,
  deps: FindingDeps,
): Promise<Monitor | undefined> {
  const pingId = pingIdIn(text, kind);
  const key = pingId === undefined ? undefined : await deps.pingKeys.get(pingId);
  const job = key && (await deps.jobs.get(key));
  const monitor = job && asMonitor(job);
  if (!key || !monitor) return undefined;
  const secret = await deps.secret.get();
  const ofVersion = (version: number) => MADE_BY[kind](job, version, secret);
  return isKeyNow(text, key, deps.clock.nowMs(), ofVersion) ? monitor : undefined;
}

/** What a project's key and a slug name; undefined if the key does not work. */
export async function namedBySlug(
  text: string,
  slug: string,
  deps: FindingDeps,
): Promise<{ key: ProjectPingKey; job: Job | undefined } | undefined> {
  const key = await projectKeyBy(text, deps);
  return key && { key, job: await deps.jobs.get({ userId: key.userId, jobId: slug }) };
}

/** Undefined: it is a job of another kind. */
export function asMonitor(job: Job): Monitor | undefined {
  const target = monitorTargetOf(job);
  return target && { job, target };
}
