import { failureSortOf, jobKeyOf } from '../../../core/contracts/tables';
import { scheduleOf } from '../../../core/domain/entry-planning';
import { type Execution, isPlanned } from '../../../core/domain/execution';
import type { Job } from '../../../core/domain/job';
import { nextPlanned, plannedBetween } from '../../../core/domain/planned-times';
import { coveredThroughMs } from '../../../core/history/coverage';
import type { Schedule } from '../../../core/schedule/schedule';
import { inParallel } from '../../../core/async/in-parallel';
import type { IsSpent } from '../../http/cpu-budget';
import { endOfInstant } from '../../jobs/derived-job-status';
import type { ApiDeps } from '../../request';
import type { Filtered } from '../../http/paging';
import { type AnyExecution, isRetained } from '../execution-view';
import { derivedExecution, queuedForMs } from '../derived-executions';

/** Which executions are asked for. */
export interface Wanted {
  fromMs: number;
  /** Exclusive. */
  toMs: number;
  nowMs: number;
  /** Position of the last execution of the page before: only what sorts below it is wanted. */
  after?: string;
  /** Whether executions without a row are wanted: the next one, and those that wait. */
  derives: boolean;
}

const FIRST_READ = 2;
const FURTHER_READ = 25;

/**
 * The executions of one job, the newest first, read as they are needed. Occurrences of the last hour that no
 * row covers lie among them as `queued`, and the next one as `scheduled`.
 */
export class JobSource {
  /** What was read and not taken yet. */
  private readonly ready: AnyExecution[] = [];
  private readonly jobKey: string;
  private readonly schedule: Schedule | undefined;
  /** Manual runs later than the planned row that is looked for: a gap may lie beside them. */
  private manual: Execution[] = [];
  /** Occurrences through this instant may be without a row. */
  private gapEndMs: number;
  private after: string | undefined;
  private reads = 0;
  private isOver = false;
  /** The CPU budget ended while occurrences without a row were looked for: some are missing. */
  isCut = false;
  /** Rows that were read so far. */
  rows = 0;

  constructor(
    private readonly job: Job,
    private readonly wanted: Wanted,
    private readonly isSpent: IsSpent,
  ) {
    const { nowMs, toMs, derives } = wanted;
    this.jobKey = jobKeyOf(job);
    this.gapEndMs = Math.min(nowMs, toMs - 1);
    this.schedule = derives && job.status === 'active' ? scheduleOf(job) : undefined;
    const nextMs = this.schedule && nextPlanned(job, this.schedule, nowMs);
    if (nextMs !== undefined) this.add([derivedExecution(job, nextMs, 'scheduled')]);
  }

  /** The newest one that was not taken; undefined if there is none, or if it has to be read first. */
  get head(): AnyExecution | undefined {
    return this.ready[0];
  }

  get mustRead(): boolean {
    return this.ready.length === 0 && !this.isOver;
  }

  take(): void {
    this.ready.shift();
  }

  /** Reads until something is ready, or nothing is left. At least two rows the first time. */
  async read(deps: ApiDeps): Promise<void> {
    do {
      const page = await deps.executions.list(this.jobKey, {
        order: 'desc',
        after: this.after,
        toExecId: this.wanted.after?.split('#')[0] ?? endOfInstant(this.wanted.toMs - 1),
        limit: this.reads++ === 0 ? FIRST_READ : FURTHER_READ,
      });
      this.rows += page.executions.length;
      this.after = page.nextAfter;
      for (const row of page.executions) this.addRow(row);
      if (page.nextAfter === undefined && !this.isOver) this.end();
    } while (this.mustRead && !this.isSpent());
  }

  private addRow(row: Execution): void {
    const { fromMs, nowMs } = this.wanted;
    const mayHaveGap = this.schedule !== undefined && this.gapEndMs > this.gapStartMs;
    if (row.dueAtMs < fromMs && (isPlanned(row.trigger) || !mayHaveGap)) return this.end(row);
    if (!isPlanned(row.trigger) && mayHaveGap) {
      this.manual.push(row);
      return;
    }
    if (row.dueAtMs > nowMs || row.insideRange) return this.add([row]);
    this.add([...this.gapAfter(row), ...this.manual, row]);
    this.manual = [];
    this.gapEndMs = Math.min(this.gapEndMs, row.dueAtMs - 1);
  }

  private end(before?: Execution): void {
    this.add([...this.gapAfter(before), ...this.manual]);
    this.manual = [];
    this.isOver = true;
  }

  private get gapStartMs(): number {
    const { fromMs, nowMs } = this.wanted;
    const { activeSinceMs, scheduleChangedAtMs } = this.job;
    return Math.max(fromMs - 1, nowMs - queuedForMs(this.job), activeSinceMs, scheduleChangedAtMs);
  }

  /** Planned occurrences later than a row, and earlier than the row after it. */
  private gapAfter(row: Execution | undefined): AnyExecution[] {
    const { job, schedule } = this;
    const covered = row && isPlanned(row.trigger) ? coveredThroughMs(row) : 0;
    const afterMs = Math.max(this.gapStartMs, covered);
    if (!schedule || afterMs >= this.gapEndMs) return [];
    const found: AnyExecution[] = [];
    for (const dueAtMs of plannedBetween(job, schedule, afterMs, this.gapEndMs)) {
      if (this.isCut) break;
      this.isCut = this.isSpent();
      found.push(derivedExecution(job, dueAtMs, 'queued'));
    }
    return found;
  }

  /** Keeps those that are wanted, the newest first. A row counts more than what was derived in its place. */
  private add(executions: readonly AnyExecution[]): void {
    const { fromMs, toMs, nowMs, after } = this.wanted;
    const wanted = executions.filter(
      (one) =>
        one.dueAtMs >= fromMs &&
        one.dueAtMs < toMs &&
        isRetained(one, nowMs) &&
        (after === undefined || failureSortOf(one) < after),
    );
    const rows = new Set(wanted.map(({ execId }) => execId));
    const kept = this.ready.filter(({ execId }) => !rows.has(execId));
    const all = [...kept, ...wanted].sort((a, b) => (a.execId < b.execId ? 1 : -1));
    this.ready.splice(0, this.ready.length, ...all);
  }
}

const PARALLEL_READS = 32;
/** Rows that one page reads beyond the first two of each job. */
const MAX_ROWS = 5_000;

/** A page, or undefined: the CPU budget was used up before each job was read once. */
export async function mergeSources(
  sources: readonly JobSource[],
  { limit, keep, isSpent }: { limit: number; keep: (one: AnyExecution) => boolean; isSpent: IsSpent },
  deps: ApiDeps,
): Promise<Filtered<AnyExecution> | undefined> {
  let isCut = false;
  await inParallel(sources, PARALLEL_READS, async (source) => {
    if (isSpent()) isCut = true;
    else await source.read(deps);
  });
  if (isCut || sources.some((source) => source.mustRead || source.isCut)) return undefined;
  const firstRows = sources.reduce((sum, { rows }) => sum + rows, 0);
  const items: AnyExecution[] = [];
  let last: AnyExecution | undefined;
  for (;;) {
    const source = newestOf(sources);
    if (!source) return { items };
    const head = source.head!;
    const rows = sources.reduce((sum, one) => sum + one.rows, 0);
    const isLimit = items.length === limit || rows - firstRows > MAX_ROWS || isSpent();
    if (last && isLimit) return { items, nextAfter: failureSortOf(last) };
    if (keep(head)) items.push(head);
    last = head;
    source.take();
    // Without its next head, the order of the rest is not known.
    while (source.mustRead) {
      if (isSpent() && source.rows > 0) return { items, nextAfter: failureSortOf(last) };
      await source.read(deps);
      if (source.isCut) return { items, nextAfter: failureSortOf(last) };
    }
  }
}

/** The source whose head sorts last: by due time, then by job. */
function newestOf(sources: readonly JobSource[]): JobSource | undefined {
  let newest: JobSource | undefined;
  let position = '';
  for (const source of sources) {
    const own = source.head && failureSortOf(source.head);
    if (own === undefined || own <= position) continue;
    [newest, position] = [source, own];
  }
  return newest;
}
