import { badgeKeyOf, isSameKey, pingIdIn, pingKeyOf } from '../core/api-keys/ping-key';
import type { Clock } from '../core/clock/clock';
import type { DeploymentSecret } from '../core/delivery/signing/deployment-secret';
import { monitorTargetOf } from '../core/domain/entry-planning';
import type { Job } from '../core/domain/job';
import type { MonitorTarget } from '../core/domain/target';
import type { JobStore } from '../core/store/job-store';
import type { PingKey, PingKeyStore } from '../core/store/ping-key-store';

export interface FindingDeps {
  pingKeys: Pick<PingKeyStore, 'get'>;
  jobs: Pick<JobStore, 'get'>;
  secret: DeploymentSecret;
  clock: Pick<Clock, 'nowMs'>;
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
  const target = job && monitorTargetOf(job);
  if (!key || !target) return undefined;
  const secret = await deps.secret.get();
  const fits = versionsOf(key, deps).map((version) => isSameKey(text, MADE_BY[kind](job, version, secret)));
  return fits.includes(true) ? { job, target } : undefined;
}

/** Those that work now. */
const versionsOf = (
  { version, earlierUntilMs = 0 }: PingKey,
  { clock }: Pick<FindingDeps, 'clock'>,
): number[] => (clock.nowMs() < earlierUntilMs ? [version, version - 1] : [version]);
