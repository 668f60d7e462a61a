import { NO_USAGE } from '../core/quotas/usage';
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
  const { cursor, counting }: Bookmark = text === undefined ? {} : (JSON.parse(text) as Bookmark);
  return { cursor, counting: counting && withEveryCount(counting) };
}

/** In an update, the version before may have written it. A quota that it did not know counts from 0. */
const withEveryCount = ({ userId, stored, counted }: Counting): Counting => ({
  userId,
  stored: { ...NO_USAGE, ...stored },
  counted: { ...NO_USAGE, ...counted },
});

/** Without a cursor the next pass starts at the beginning of the table. */
export const writeBookmark = (
  { cursor, counting }: Bookmark,
  schedule: Pick<ScheduleStore, 'writeBookmark'>,
): Promise<void> =>
  schedule.writeBookmark(NAME, cursor === undefined ? undefined : JSON.stringify({ cursor, counting }));
