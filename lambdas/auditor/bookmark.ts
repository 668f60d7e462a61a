import type { ScheduleStore } from '../core/store/schedule-store';
import type { Counting } from './count-usage';

const NAME = 'audit';

/** Where the pass continues, and the user whose jobs it was counting there. Empty at the start of a pass. */
interface Bookmark {
  cursor?: string;
  counting?: Counting;
}

export async function readBookmark(schedule: Pick<ScheduleStore, 'readBookmark'>): Promise<Bookmark> {
  const text = await schedule.readBookmark(NAME);
  return text === undefined ? {} : (JSON.parse(text) as Bookmark);
}

/** Without a cursor the next pass starts at the beginning of the table. */
export const writeBookmark = (
  { cursor, counting }: Bookmark,
  schedule: Pick<ScheduleStore, 'writeBookmark'>,
): Promise<void> =>
  schedule.writeBookmark(NAME, cursor === undefined ? undefined : JSON.stringify({ cursor, counting }));
