import type { Execution } from '../../../lambdas/core/domain/execution';
import type { StepCode, Verdict } from '../../../lambdas/core/domain/explain/facts';
import type { Job } from '../../../lambdas/core/domain/job';
import { parseSchedule } from '../../../lambdas/core/schedule/parse';
import type { CronSpec, RecurringSpec } from '../../../lambdas/core/schedule/spec';
import { recordOf } from '../checks/occurrences';
import { waitsAtGate } from './known-waits';
import { idOf, isPlanned, type JobVersion, scheduleIn, type Story } from '../story';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Ten seconds for the write of a change, five for the clocks, and some for a kill. */
const NEAR_MS = 20_000;
const LATE_AFTER_MS = 30_000;
/** How far the clocks of two nodes and a short wait may move a start. */
const ROUGHLY_MS = 12_000;
const RECORDED_WITHIN_MS = 2 * HOUR_MS;

/** What the log knows: one of these verdicts is right, and each of these steps is due. */
export interface Known {
  verdicts: readonly Verdict[];
  codes: readonly StepCode[];
}

export interface Asked {
  jobKey: string;
  atMs: number;
  nowMs: number;
  retentionDays: number;
  /** Etags of states whose definitions were deleted. */
  erased: ReadonlySet<string>;
}

const CODE_OF: Partial<Record<string, StepCode>> = {
  paused: 'paused',
  superseded: 'superseded',
  deleted: 'deleted',
  overlap: 'overlap',
  misfire: 'misfire',
  'cancelled-by-user': 'cancelled',
};

/** Undefined: the log does not tell, since a change was too near. */
export function knownOf(story: Story, asked: Asked): Known | undefined {
  const { jobKey, atMs, nowMs, retentionDays } = asked;
  const rows = [...story.states.values()]
    .map((states) => states.at(-1)!.execution)
    .filter((row) => row.jobKey === jobKey)
    .filter(({ expiresAtSec = Number.POSITIVE_INFINITY }) => expiresAtSec * 1_000 > nowMs);
  const row = recordOf(rows, atMs);
  if (row) return knownOfRow(row, story);
  const versions = story.versions.get(jobKey) ?? [];
  if (versions.some(({ fromMs }) => Math.abs(fromMs - atMs) < NEAR_MS)) return undefined;
  const version = versions.find(({ fromMs, untilMs }) => fromMs < atMs && atMs <= untilMs);
  if (version?.job && asked.erased.has(version.job.etag))
    return { verdicts: ['unknown'], codes: ['changes'] };
  const isOld = atMs < nowMs - retentionDays * DAY_MS;
  if (!version) return isOld ? { verdicts: ['unknown'], codes: ['changes'] } : none;
  if (!version.job) return none;
  if (!isPlanned(version.job, jobKey, atMs)) return notPlanned(version.job, jobKey, atMs);
  if (atMs > nowMs)
    return version.job.status === 'paused'
      ? { verdicts: ['not-planned'], codes: ['planned', 'paused'] }
      : { verdicts: ['will-run'], codes: ['planned', 'deployment'] };
  if (isOld) return { verdicts: ['unknown'], codes: ['planned', 'retention'] };
  return withoutRecord({ ...version, job: version.job }, story, asked);
}

const none: Known = { verdicts: ['not-planned'], codes: ['existed'] };

function knownOfRow(row: Execution, { calls, states }: Story): Known {
  const own = calls.filter((call) => idOf(call) === idOf(row));
  const { status, attempts } = row;
  // A claim that called nothing is no beginning: a user may retry what was skipped then.
  const fence = Math.min(attempts[0]?.fence ?? row.fence, own[0]?.fence ?? row.fence);
  const begunMs = states
    .get(idOf(row))!
    .find(({ execution }) => execution.status === 'running' && execution.fence === fence)?.t;
  const isClaimed = attempts.length > 0 || ['running', 'succeeded', 'failed'].includes(status);
  if ((own.length > 0 || isClaimed) && begunMs !== undefined) {
    const lateMs = begunMs - row.dueAtMs;
    const verdicts: Verdict[] = [
      ...(lateMs < LATE_AFTER_MS + ROUGHLY_MS ? ['ran' as const] : []),
      ...(lateMs > LATE_AFTER_MS - ROUGHLY_MS ? ['late' as const] : []),
      // A request of a node that died is not known to have been sent.
      ...(isClaimed ? [] : ['skipped' as const, 'waits' as const]),
    ];
    return { verdicts, codes: ['planned', 'deployment', 'ledger'] };
  }
  if (status !== 'skipped' && status !== 'cancelled') return { verdicts: ['waits'], codes: ['ledger'] };
  const code = row.reason && CODE_OF[row.reason];
  return { verdicts: ['skipped'], codes: ['planned', 'ledger', ...(code ? [code] : [])] };
}

function withoutRecord(
  { job, untilMs }: JobVersion & { job: Job },
  story: Story,
  asked: Asked,
): Known | undefined {
  const { jobKey, atMs, nowMs } = asked;
  const versions = story.versions.get(jobKey)!;
  if (job.status === 'paused') return { verdicts: ['skipped'], codes: ['planned', 'paused', 'ledger'] };
  const later = versions.filter((version) => version.fromMs >= untilMs);
  const change = later.find((version) => version.job?.revision !== job.revision);
  const codes: StepCode[] = ['planned', 'deployment', 'ledger'];
  const openMs = (change?.fromMs ?? nowMs) - atMs;
  if (Math.abs(openMs - RECORDED_WITHIN_MS) < HOUR_MS / 2) return undefined;
  if (openMs > RECORDED_WITHIN_MS && (change || !waitsAtGate(story, asked)))
    return { verdicts: ['lost'], codes };
  if (!change) return { verdicts: ['waits'], codes };
  const by = change.job ? (change.job.status === 'paused' ? 'paused' : 'superseded') : 'deleted';
  return { verdicts: ['skipped'], codes: [...codes, by] };
}

/** Which options of the schedule leave the time out, each tried alone. */
function notPlanned(job: Job, jobKey: string, atMs: number): Known {
  const { schedule: spec, scheduleChangedAtMs: changedAtMs } = job;
  const codes: StepCode[] = ['planned'];
  const schedule = scheduleIn(job, jobKey);
  if (typeof spec !== 'string' && (spec.type === 'cron' || spec.type === 'interval')) {
    const { exclude, startAt, endAt, ...bare } = spec;
    const occurs = (options: Partial<RecurringSpec & CronSpec>) =>
      parseSchedule({ ...bare, ...options } as RecurringSpec, { jobKey, changedAtMs }).occursAt(atMs);
    if (schedule.occursAt(atMs) && atMs > changedAtMs) codes.push('max-runs');
    if (occurs({})) {
      if (exclude && !occurs({ exclude })) codes.push('excluded');
      if (startAt !== undefined && atMs < Date.parse(startAt)) codes.push('start-at');
      if (endAt !== undefined && atMs >= Date.parse(endAt) && !occurs({ endAt })) codes.push('end-at');
    } else if (spec.type === 'cron' && spec.dst && occurs({ dst: { gap: 'shift', overlap: 'both' } })) {
      codes.push('clock-change');
    }
  }
  return { verdicts: ['not-planned'], codes };
}
