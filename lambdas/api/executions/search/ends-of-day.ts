import { isLaterEnd, journalIdOf, type JournalEnd, namedAtMs } from '../../../core/domain/journal-end';
import type { TerminalStatus } from '../../../core/domain/transitions';
import type { ReadEndsRow } from '../../../core/store/ends-journal';

/** Which ends are asked for. */
export interface WantedEnds {
  fromMs: number;
  /** Exclusive. */
  toMs: number;
  /** Undefined: all of them. */
  status: TerminalStatus | undefined;
  /** Undefined: all jobs, those that were deleted too. */
  jobIds: ReadonlySet<string> | undefined;
  /** `journalIdOf` the last end of the page before. */
  after: string | undefined;
}

/** Executions by how they ended last. A skipped range counts each of its occurrences. */
export type EndCounts = Record<TerminalStatus, number>;

export const noEnds = (): EndCounts => ({ succeeded: 0, failed: 0, cancelled: 0, skipped: 0 });

/** Gets the last end of an execution, and the time that its id names. */
export type EndVisitor = (end: JournalEnd, namedMs: number) => void;

/** The ends of a day, as far as its rows were read: backwards. The last end of an execution counts. */
export class EndsOfDay {
  private readonly known = new Map<string, JournalEnd>();
  /** The rows that were read, and the lowest execution in each. */
  private readonly rows: { position: string; lowest: string }[] = [];
  private throughMs = Number.POSITIVE_INFINITY;

  constructor(private readonly wanted: WantedEnds) {}

  add({ position, throughMs, items }: ReadEndsRow): void {
    const { fromMs, toMs } = this.wanted;
    let lowest = '~';
    for (const end of items) {
      const namedMs = namedAtMs(end);
      if (namedMs < fromMs || namedMs >= toMs) continue;
      const id = journalIdOf(end);
      if (id < lowest) lowest = id;
      const known = this.known.get(id);
      if (!known || isLaterEnd(end, known)) this.known.set(id, end);
    }
    this.rows.push({ position, lowest });
    this.throughMs = throughMs;
  }

  /** Whether so many of those that are wanted are known, and no row that was not read has a newer one. */
  has(count: number): boolean {
    let wanted = 0;
    for (const end of this.known.values())
      if (namedAtMs(end) > this.throughMs && this.isWanted(end)) wanted += 1;
    return wanted >= count;
  }

  /**
   * Those that are wanted, the newest first, at most so many. `hasMore`: there are others. `through`: the row
   * from which on they are.
   */
  newest(most: number): { items: JournalEnd[]; hasMore: boolean; through: string | undefined } {
    const wanted = [...this.known.values()]
      .filter((end) => this.isWanted(end))
      .sort((a, b) => (journalIdOf(a) < journalIdOf(b) ? 1 : -1));
    const items = wanted.slice(0, most);
    const last = items.at(-1);
    const through = last && this.rows.find(({ lowest }) => lowest < journalIdOf(last))?.position;
    return { items, hasMore: wanted.length > most, through: through ?? this.rows.at(-1)?.position };
  }

  /** Each end of the wanted jobs, whatever its status. */
  visit(visitor: EndVisitor): void {
    for (const end of this.known.values())
      if (this.wanted.jobIds?.has(end.jobId) ?? true) visitor(end, namedAtMs(end));
  }

  private isWanted(end: JournalEnd): boolean {
    const { status, jobIds, after } = this.wanted;
    return (
      (status === undefined || end.status === status) &&
      (jobIds?.has(end.jobId) ?? true) &&
      (after === undefined || journalIdOf(end) < after)
    );
  }
}
