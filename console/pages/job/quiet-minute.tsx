import type { Preview, Schedule } from '../../../client/browser';
import { useLoad } from '../../api/planned';
import { atMinute, quietest, typedZone } from '../../editor/minutes';
import { Note } from '../../parts/card';
import { Icon } from '../../parts/icons';
import { clock, HOUR_MS, MINUTE_MS, plural } from '../../time/format';

type CronSchedule = Extract<Schedule, { type: 'cron' }>;

interface QuietMinuteProps {
  schedule: Schedule | undefined;
  preview: Preview | undefined;
  onTake(schedule: CronSchedule): void;
}

/** How much else is planned in the minute of a schedule, and a quieter one nearby. */
export function QuietMinute({ schedule, preview, onTake }: QuietMinuteProps) {
  const first = preview?.times[0]?.at;
  if (first === undefined || typeof schedule !== 'object' || schedule.type !== 'cron') return null;
  if (atMinute(schedule.expression, 0) === undefined) return null;
  return <Suggestion at={Date.parse(first)} schedule={schedule} onTake={onTake} />;
}

interface SuggestionProps {
  at: number;
  schedule: CronSchedule;
  onTake: QuietMinuteProps['onTake'];
}

function Suggestion({ at, schedule, onTake }: SuggestionProps) {
  // Around the hour of the time, so that its neighbours share one request.
  const fromMs = Math.floor(at / HOUR_MS) * HOUR_MS - HOUR_MS;
  const { data } = useLoad(fromMs, fromMs + 3 * HOUR_MS);
  if (!data) return null;
  const index = Math.floor((at - fromMs) / MINUTE_MS);
  const here = data.counts[index] ?? 0;
  const best = quietest(data.counts, index);
  const bestMs = fromMs + best * MINUTE_MS;
  const zone = typedZone(schedule);
  const expression = atMinute(schedule.expression, Number(clock(bestMs, zone).slice(3)));
  const isSameHour = clock(bestMs, zone).slice(0, 2) === clock(at, zone).slice(0, 2);
  if (here < 2 || best === index || expression === undefined || !isSameHour) return null;
  return (
    <Note icon={<Icon name="clock" />}>
      <span data-part="quiet-minute">
        At {clock(at, zone)} there are {plural(here, 'execution')} in all; {clock(bestMs, zone)} has{' '}
        {data.counts[best] === 0 ? 'none' : data.counts[best]}.{' '}
        <button type="button" class="btn small" onClick={() => onTake({ ...schedule, expression })}>
          Take {clock(bestMs, zone)}
        </button>
      </span>
    </Note>
  );
}
