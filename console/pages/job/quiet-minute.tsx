import type { Preview } from '../../../client/browser';
import { useLoad } from '../../api/planned';
import { atMinute, quietest, type ScheduleDraft, zoneOfDraft } from '../../editor/schedule-draft';
import { Note } from '../../parts/card';
import { Icon } from '../../parts/icons';
import { clock, HOUR_MS, MINUTE_MS, plural } from '../../time/format';

interface QuietMinuteProps {
  draft: ScheduleDraft;
  preview: Preview | undefined;
  onTake(expression: string): void;
}

/** How much else is planned in the minute of a schedule, and a quieter one nearby. */
export function QuietMinute({ draft, preview, onTake }: QuietMinuteProps) {
  const first = preview?.times[0]?.at;
  if (first === undefined || draft.kind !== 'cron' || atMinute(draft.main, 0) === undefined) return null;
  return <Suggestion at={Date.parse(first)} draft={draft} onTake={onTake} />;
}

function Suggestion({ at, draft, onTake }: { at: number; draft: ScheduleDraft; onTake(text: string): void }) {
  // Around the hour of the time, so that its neighbours share one request.
  const fromMs = Math.floor(at / HOUR_MS) * HOUR_MS - HOUR_MS;
  const { data } = useLoad(fromMs, fromMs + 3 * HOUR_MS);
  if (!data) return null;
  const index = Math.floor((at - fromMs) / MINUTE_MS);
  const here = data.counts[index] ?? 0;
  const best = quietest(data.counts, index);
  const bestMs = fromMs + best * MINUTE_MS;
  const zone = zoneOfDraft(draft);
  const taken = atMinute(draft.main, Number(clock(bestMs, zone).slice(3)));
  const isSameHour = clock(bestMs, zone).slice(0, 2) === clock(at, zone).slice(0, 2);
  if (here < 2 || best === index || !taken || !isSameHour) return null;
  return (
    <Note icon={<Icon name="clock" />}>
      <span data-part="quiet-minute">
        At {clock(at, zone)} there are {plural(here, 'execution')} in all; {clock(bestMs, zone)} has{' '}
        {data.counts[best] === 0 ? 'none' : data.counts[best]}.{' '}
        <button type="button" class="btn small" onClick={() => onTake(taken)}>
          Take {clock(bestMs, zone)}
        </button>
      </span>
    </Note>
  );
}
