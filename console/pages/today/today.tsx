import { computed } from '@preact/signals';

import { type Day, useDay } from '../../api/executions';
import { useJobs } from '../../api/jobs';
import { useLoad } from '../../api/planned';
import { isKnown } from '../../api/polling';
import { now } from '../../app/now';
import { zone } from '../../app/zone';
import { DAY_STRIP_RATIO, DayStrip } from '../../draw/day-strip';
import { Card, Legend, Title } from '../../parts/card';
import { INCOMPLETE } from '../../parts/incomplete';
import { Loaded, Skeleton } from '../../parts/states';
import { DAY_MS, isoDate, longDay, MINUTE_MS, plural, startOfDate } from '../../time/format';
import { cutJobs, type DayRow, figuresOf, quartersOf, rowsSince } from './figures';
import { Numbers } from './numbers';
import { NeedsYou, useNeeds } from './needs-you';
import { PlannedLoad } from './planned-load';
import { NextUp, QuotaCard, RunningNow } from './side';

/** Each of these jobs tells its 20 newest executions. */
const MOST_JOBS = 200;
const ALL = { q: '', status: '', tags: [], lastStatus: '' };

/** They change at midnight and with the minute: the page is not drawn anew each second. */
const date = computed(() => isoDate(now.value, zone.value));
const minuteMs = computed(() => Math.floor(now.value / MINUTE_MS) * MINUTE_MS);

/** What needs the reader, how the day went so far, and what is ahead. */
export default function Today() {
  const tz = zone.value;
  const fromMs = startOfDate(date.value, tz);
  const toMs = startOfDate(isoDate(fromMs + 1.5 * DAY_MS, tz), tz);
  const day = useDay(fromMs);
  const isDayKnown = isKnown(day);
  const jobs = useJobs(ALL, MOST_JOBS, day.data === null);
  const { data } = jobs;
  const needs = useNeeds();
  // Their heights follow from their answers. What is below them has its place once they are drawn.
  const isPlaced = [jobs, ...Object.values(needs)].every((query) => !query || isKnown(query));
  // More jobs than the API lists together: the newest of each of the first ones count.
  const isListed = day.data !== null;
  const rows: readonly DayRow[] = day.data?.items ?? (isListed || !data ? [] : rowsSince(data.items, fromMs));
  return (
    <>
      <Title
        sub={
          <>
            {longDay(fromMs, tz)} · times in {tz}
            {data && ` · ${plural(data.items.length, 'job')}${data.hasMore ? ' and more' : ''}`}
          </>
        }
      >
        Today
      </Title>
      {isPlaced ? (
        <NeedsYou
          needs={needs}
          jobs={data?.items}
          ended={isDayKnown && !day.isPartial ? rows.length : undefined}
        />
      ) : (
        <Skeleton height={104} />
      )}
      <div class={isPlaced ? undefined : 'unplaced'}>
        <Loaded query={day}>
          {(found) => (
            <Numbers
              figures={figuresOf(rows)}
              limits={
                day.isPartial
                  ? `The newest ${plural(rows.length, 'execution')} count so far: the day is still being read.`
                  : found
                    ? dayLimits(found)
                    : data
                      ? limitsOf(data.items.length, data.hasMore, cutJobs(data.items, fromMs))
                      : 'The jobs are still being read.'
              }
            />
          )}
        </Loaded>
        <Strip rows={rows} fromMs={fromMs} toMs={toMs} isReady={isDayKnown} />
        <Ahead rows={isDayKnown ? rows : undefined} fromMs={fromMs} toMs={toMs} />
      </div>
    </>
  );
}

interface AheadProps {
  rows: readonly DayRow[] | undefined;
  fromMs: number;
  toMs: number;
}

/** What is planned, and what runs now. */
const Ahead = ({ rows, fromMs, toMs }: AheadProps) => (
  <div class="over">
    <PlannedLoad fromMs={fromMs} toMs={toMs} />
    <div class="stack">
      <NextUp />
      <QuotaCard />
      <RunningNow rows={rows} />
    </div>
  </div>
);

const ALL_COUNT = 'All executions of the day count.';

/** What the list of the day leaves out. */
function dayLimits({ items, hasMore, incompleteBecause }: Day): string {
  const parts = [
    ...(hasMore ? [`The newest ${items.length} executions count.`] : []),
    ...incompleteBecause.map((why) => INCOMPLETE[why]),
  ];
  return parts.length > 0 ? parts.join(' ') : ALL_COUNT;
}

/** What the numbers leave out. */
function limitsOf(jobs: number, hasMore: boolean, cut: number): string {
  const parts = [
    hasMore && `Counted over the first ${jobs} jobs.`,
    cut > 0 && `${plural(cut, 'job')} ran more often than 20 times: of these, the newest 20 count.`,
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(' ') : ALL_COUNT;
}

interface StripProps {
  rows: Parameters<typeof quartersOf>[0];
  fromMs: number;
  toMs: number;
  isReady: boolean;
}

function Strip({ rows, fromMs, toMs, isReady }: StripProps) {
  const load = useLoad(fromMs, toMs);
  const nowMs = minuteMs.value;
  return (
    <Card
      part="day-strip"
      title="Executions today"
      more={
        <Legend
          items={[
            ['succeeded', 'succeeded'],
            ['skipped', 'skipped'],
            ['failed', 'failed'],
            ['hatch', 'planned'],
          ]}
        />
      }
    >
      <div class="scroll drawn" tabIndex={0} role="region" aria-label="Executions by quarter of an hour">
        {isReady ? (
          <DayStrip
            quarters={quartersOf(rows, load.data?.counts ?? [], { fromMs, toMs, nowMs })}
            nowMs={nowMs}
          />
        ) : (
          <Skeleton ratio={DAY_STRIP_RATIO} />
        )}
      </div>
    </Card>
  );
}
