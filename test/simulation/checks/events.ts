import { idOf, type Story } from '../story';
import { broken, clockTime, type Violation } from '../violation';

/** An event says what is so: when it is published, its end is in the table, under its fence. */
export function checkEvents(story: Story): Violation[] {
  return story.records.flatMap((record) => {
    if (record.src !== 'event') return [];
    const { t, status, fence } = record;
    const isWritten = (story.states.get(idOf(record)) ?? []).some(
      (state) => state.t <= t && state.execution.status === status && state.execution.fence === fence,
    );
    if (isWritten) return [];
    return [broken('event', `${idOf(record)}: ${status} was published at ${clockTime(t)}, and is not so`)];
  });
}
