import { DAY_MS } from '../../../core/clock/clock';
import { compactInstant, dayOf, parseCompactInstant } from '../../../core/contracts/tables';
import { journalIdOf, type JournalEnd } from '../../../core/domain/journal-end';
import type { EndsJournal, ReadEndsRow } from '../../../core/store/ends-journal';
import type { IsSpent } from '../../http/cpu-budget';
import { EndsOfDay, type EndVisitor, type WantedEnds } from './ends-of-day';

export interface EndsQuery extends WantedEnds {
  /** The project, percent-encoded. */
  userPart: string;
  limit: number;
  /** The row from which on the page reads; undefined: from the newest. */
  through: string | undefined;
  /** Gets all ends of the window, whatever their status and page. */
  visit?: EndVisitor | undefined;
}

export interface FoundEnds {
  /** By the times that their execIds name, the newest first. */
  items: JournalEnd[];
  /** Where the next page begins; undefined: there is none. */
  next?: { after: string; through: string | undefined };
  /** The budget was used up: ends may be missing between those found, and counts are too low. */
  isCut: boolean;
  /** How far the follower was behind when it wrote the newest row that was read. */
  lagMs: number;
}

interface ReadDeps {
  journal: EndsJournal;
  isSpent: IsSpent;
}

/** Rows of the first query; each further one has four times as many. */
const FIRST_ROWS = 4;
const MOST_ROWS_A_QUERY = 256;
/** Up to 400,000 ends, in some 12 MB. */
const MOST_ROWS = 2_000;

/** A page of ends. All those of one execution are in the partition of one day, so a day is read by itself. */
export async function readJournal(query: EndsQuery, deps: ReadDeps): Promise<FoundEnds> {
  const page = new JournalPage(query, deps);
  const firstMs = startOfDay(query.fromMs);
  const { after } = query;
  const lastMs = after === undefined || query.visit ? query.toMs - 1 : parseCompactInstant(after);
  for (let dayMs = startOfDay(lastMs); dayMs >= firstMs && !page.isDone; dayMs -= DAY_MS)
    await page.readDay(dayMs);
  return page.found;
}

const startOfDay = (ms: number): number => ms - (ms % DAY_MS);

class JournalPage {
  readonly found: FoundEnds = { items: [], isCut: false, lagMs: 0 };
  private rows = 0;

  constructor(
    private readonly query: EndsQuery,
    private readonly deps: ReadDeps,
  ) {}

  get isDone(): boolean {
    return this.found.isCut || (this.room === 0 && !this.query.visit);
  }

  private get room(): number {
    return this.query.limit - this.found.items.length;
  }

  async readDay(dayMs: number): Promise<void> {
    const { found, query } = this;
    const ofDay = new EndsOfDay(query);
    await this.readRows(dayMs, ofDay);
    if (query.visit) ofDay.visit(query.visit);
    if (this.room === 0) return;
    const { items, hasMore, through } = ofDay.newest(this.room);
    found.items.push(...items);
    const last = found.items.at(-1);
    const mayHaveMore = hasMore || found.isCut || dayMs > query.fromMs;
    if (last && (this.room === 0 || found.isCut) && mayHaveMore)
      found.next = { after: journalIdOf(last), through };
  }

  private async readRows(dayMs: number, ofDay: EndsOfDay): Promise<void> {
    const { found, query, deps } = this;
    const day = dayOf(compactInstant(dayMs));
    const isDayOfCursor = query.after !== undefined && dayOf(query.after) === day && !query.visit;
    let after: string | undefined;
    for (let limit = FIRST_ROWS; ; limit = Math.min(4 * limit, MOST_ROWS_A_QUERY)) {
      if (this.rows >= MOST_ROWS || deps.isSpent()) {
        found.isCut = true;
        return;
      }
      const page = await deps.journal.read(query.userPart, day, {
        fromMs: Math.max(query.fromMs, dayMs),
        ...(isDayOfCursor && { through: query.through }),
        after,
        limit,
      });
      if (this.rows === 0) found.lagMs = lagOf(page.rows[0]);
      this.rows += page.rows.length;
      for (const row of page.rows) ofDay.add(row);
      after = page.nextAfter;
      if (after === undefined || (!query.visit && ofDay.has(this.room + 1))) return;
    }
  }
}

/** From the last end of a row to when it was written. */
const lagOf = (row: ReadEndsRow | undefined): number =>
  row ? row.writtenAtMs - Math.max(...row.items.map(({ finishedAtMs }) => finishedAtMs)) : 0;
