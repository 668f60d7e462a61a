import type { JournalEnd } from '../domain/journal-end';

/** Ends of executions of one project whose execIds name one day. */
export interface EndsRow {
  /** The project, percent-encoded (`userPartOf`). */
  userPart: string;
  /** `20261201` */
  day: string;
  /** No end of the row is later, and no execId names a later time. */
  throughMs: number;
  /** Says which end in the stream is the first, and how many there are: unique for these ends. */
  name: string;
  ends: readonly JournalEnd[];
  /** By the clock of the follower. */
  writtenAtMs: number;
  expiresAtSec: number;
}

/** A row, as it is read. */
export interface ReadEndsRow extends Pick<EndsRow, 'throughMs' | 'writtenAtMs'> {
  items: readonly JournalEnd[];
  /** Where it is in its partition. */
  position: string;
}

export interface EndsPage {
  fromMs: number;
  through?: string | undefined;
  after?: string | undefined;
  limit: number;
}

/** Every end of an execution, at least once, while a deployment keeps the journal. */
export interface EndsJournal {
  /** Writes a row, or replaces the one with its keys. */
  put(row: EndsRow): Promise<void>;
  /**
   * Says that the journal has every end since an instant, unless it says so already of this stream.
   *
   * @param stream ARN of the stream of the table: another one has a gap before it
   */
  begin(stream: string, sinceMs: number): Promise<void>;
  /** Since when the journal has every end; undefined: it has none yet. */
  sinceMs(): Promise<number | undefined>;
  /**
   * Rows of a project and day, the latest first. Eventually consistent.
   *
   * @param page `fromMs`: rows through this instant or later. `through`: from this position on, itself
   *   included. `after`: `nextAfter` of the page before. `limit`: at most so many rows.
   */
  read(userPart: string, day: string, page: EndsPage): Promise<{ rows: ReadEndsRow[]; nextAfter?: string }>;
}
