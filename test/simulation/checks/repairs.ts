import { execIdOfOccurrence } from '../../../lambdas/core/contracts/tables';
import { dueTimesOf, type Entry } from '../../../lambdas/core/domain/entry';
import type { Execution } from '../../../lambdas/core/domain/execution';
import type { Job } from '../../../lambdas/core/domain/job';
import { nextPlanned } from '../../../lambdas/core/domain/planned-times';
import { isTerminal } from '../../../lambdas/core/domain/transitions';
import { isPausedRun } from '../../../lambdas/core/domain/workflow/progress';
import { runOf } from '../../../lambdas/core/domain/workflow/task-id';
import type { OverlapLock } from '../../../lambdas/core/store/overlap-lock-store';
import type { Cursor } from '../../../lambdas/core/store/schedule-store';
import type { AuditRecord, LogRecord } from '../log';
import { idOf, scheduleIn, type Story } from '../story';
import { broken, clockTime, type Violation } from '../violation';
import { isAhead, positionOf } from './machinery';

/**
 * The auditor repairs lost work alone. What waits is not lost: in a queue, for a gate or a worker, or with an
 * entry ahead of the sweep. Neither is what a user holds, nor what maintenance mode has stopped.
 *
 * And nothing is lost, except by the restore of one table: the pipeline needs no repair.
 */
export function checkRepairs({ records, restored }: Pick<Story, 'records' | 'restored'>): Violation[] {
  if (!records.some(({ src }) => src === 'auditor')) return [];
  const world = new KnownWorld();
  const violations: Violation[] = [];
  for (const record of records) {
    if (record.src === 'auditor') {
      // A message from before a restore may be of an execution that had ended, and lost its record. Where a
      // job came back alone, the auditor has dispatched its last runs itself.
      const queued = restored && restored.tables !== 'all' ? [] : record.queued;
      const why = whyNotLost({ ...record, queued }, world);
      const what = `${record.what} of ${record.jobKey} at ${clockTime(record.t)}`;
      if (why !== undefined) violations.push(broken('repaired-without-loss', `${what}: ${why}`));
      else if (!isByRestore(record, restored, world)) violations.push(broken('repaired', what));
    } else world.see(record);
  }
  return violations;
}

/**
 * Whether the restore of one table has lost what the auditor repaired, as docs/restore.md says. Jobs alone: a
 * job that came back has no entry of its revision. If its last run is due by then, the auditor finds that in
 * the history. Executions alone: an occurrence has lost its record.
 */
function isByRestore(
  { what, jobKey, sinceMs }: AuditRecord,
  restored: Story['restored'],
  world: KnownWorld,
): boolean {
  if (restored?.tables === 'executions') return what === 'history';
  const { job, revisionMs } = world.jobs.get(jobKey) ?? {};
  if (restored?.tables !== 'jobs' || revisionMs !== restored.atMs) return false;
  return what !== 'history' || !job || nextPlanned(job, scheduleIn(job, jobKey), sinceMs) === undefined;
}

/** Why what the auditor repaired was not lost; undefined: it was. */
function whyNotLost(repair: AuditRecord, world: KnownWorld): string | undefined {
  if (world.isStopped) return 'the deployment is in maintenance mode';
  if (repair.what === 'series') return whyNoSeriesIsLost(repair, world);
  const why = [...namedBy(repair.filed)].map((execId) => world.whyWaits(execId, repair));
  const lost = why.filter((one) => one === undefined).length;
  if (lost >= (repair.missed ?? 1)) return undefined;
  return `${lost} of ${repair.missed ?? 1} were lost: ${[...new Set(why)].filter(Boolean).join(', ')}`;
}

function whyNoSeriesIsLost({ jobKey, sinceMs }: AuditRecord, world: KnownWorld): string | undefined {
  const { job, changedMs } = world.jobs.get(jobKey) ?? { job: null, changedMs: 0 };
  if (changedMs > sinceMs) return undefined; // the auditor may have read the job as it was
  if (job?.status !== 'active') return `the job is ${job?.status ?? 'deleted'}`;
  const ahead = world
    .entriesAhead(jobKey, sinceMs)
    .find((entry) => entry.kind === 'occurrence' && !entry.catchUp && entry.revision === job.revision);
  return ahead && `its entry of ${clockTime(ahead.checkAtMs)} is ahead of the sweep`;
}

function namedBy(entries: readonly Entry[]): Set<string> {
  const idsOf = (entry: Entry): string[] =>
    entry.kind === 'attempt' ? [entry.execId] : dueTimesOf(entry).map(execIdOfOccurrence);
  return new Set(entries.flatMap(idsOf));
}

interface KnownJob {
  job: Job | null;
  changedMs: number;
  /** When it got its present revision. */
  revisionMs: number;
}

/** The world as far as the log has come. */
class KnownWorld {
  isStopped = false;
  readonly jobs = new Map<string, KnownJob>();
  private readonly rows = new Map<string, { row: Execution; t: number }>();
  private readonly entries = new Map<string, { entry: Entry; t: number }[]>();
  private readonly sweeps = new Map<number, Cursor>();
  private readonly locks = new Map<string, OverlapLock>();
  /** Ids of the executions in the queue of a gate or of a worker. */
  private readonly tickets = new Set<string>();

  see(record: LogRecord): void {
    const { t } = record;
    if (record.src === 'operator' && record.type === 'tick') this.isStopped = record.to === 'off';
    if (record.src !== 'table') return;
    if (record.type === 'job') this.change(record.jobKey, record.job, t);
    else if (record.type === 'execution') this.rows.set(idOf(record.execution), { row: record.execution, t });
    else if (record.type === 'overlap-lock') this.locks.set(record.jobKey, record.lock);
    else if (record.type === 'cursor' && record.cursor.kind === 'sweep')
      this.sweeps.set(record.cursor.shard, record.cursor);
    else if (record.type === 'entry') this.file(record.entry, t);
    else if (record.type === 'ticket' || record.type === 'slot-ticket' || record.type === 'work-ticket') {
      if (record.exists) this.tickets.add(idOf(record));
      else this.tickets.delete(idOf(record));
    }
  }

  private change(jobKey: string, job: Job | null, t: number): void {
    const before = this.jobs.get(jobKey);
    const isSame = before?.job?.revision === job?.revision;
    this.jobs.set(jobKey, { job, changedMs: t, revisionMs: isSame && before ? before.revisionMs : t });
  }

  private file(entry: Entry, t: number): void {
    const own = this.entries.get(entry.jobKey) ?? [];
    own.push({ entry, t });
    this.entries.set(entry.jobKey, own);
  }

  /** Entries of a job that were there at `sinceMs`, and that the sweep has yet to recheck. */
  entriesAhead(jobKey: string, sinceMs: number): Entry[] {
    const isAheadOfSweep = (entry: Entry): boolean => {
      const sweep = this.sweeps.get(entry.shard);
      return !sweep || isAhead(positionOf(entry), sweep);
    };
    const own = this.entries.get(jobKey) ?? [];
    return own.flatMap(({ entry, t }) => (t <= sinceMs && isAheadOfSweep(entry) ? entry : []));
  }

  /** For what an execution waits; undefined: it is lost. */
  whyWaits(execId: string, { jobKey, sinceMs, queued }: AuditRecord): string | undefined {
    const id = idOf({ jobKey, execId });
    const { row, t = 0 } = this.rows.get(id) ?? {};
    const run = this.rows.get(idOf({ jobKey, execId: runOf(execId) }))?.row.run;
    if (row && t <= sinceMs && isTerminal(row.status)) return 'it has ended';
    if (run && isPausedRun(run)) return 'its run is paused';
    if (this.entriesAhead(jobKey, sinceMs).some((entry) => namedBy([entry]).has(execId)))
      return 'its entry is ahead of the sweep';
    if (queued.includes(execId)) return 'its message is in a queue';
    if (this.tickets.has(id)) return 'it has a ticket';
    return this.locks.get(jobKey)?.waiter === execId ? 'it waits for its job' : undefined;
  }
}
