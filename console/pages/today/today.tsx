import { computed } from '@preact/signals';

import { useLoad } from '../../api/planned';
import { isKnown } from '../../api/polling';
import { useUsage } from '../../api/project';
import { Trends } from '../../app/later-trends';
import { now } from '../../app/now';
import { zone } from '../../app/zone';
import { DAY_STRIP_RATIO, DayStrip } from '../../draw/day-strip';
import { Card, Legend, Title } from '../../parts/card';
import { Loaded, Skeleton } from '../../parts/states';
import { DAY_MS, isoDate, longDay, MINUTE_MS, plural, startOfDate } from '../../time/format';
import { type DaySoFar, useDaySoFar } from './day';
import { NeedsYou, useNeeds } from './needs-you';
import { Numbers } from './numbers';
import { PlannedLoad } from './planned-load';
import { NextUp, QuotaCard, RunningNow } from './side';

/** They change at midnight and with the minute: the page is not drawn anew each second. */
const date = computed(() => isoDate(now.value, zone.value));
const minuteMs = computed(() => Math.floor(now.value / MINUTE_MS) * MINUTE_MS);

/** What needs the reader, how the day went so far, and what is ahead. Each card comes with its own answer. */
export default function Today() {
  const tz = zone.value;
  const fromMs = startOfDate(date.value, tz);
  const toMs = startOfDate(isoDate(fromMs + 1.5 * DAY_MS, tz), tz);
  const day = useDaySoFar(fromMs, toMs);
  const { data: usage } = useUsage();
  const needs = useNeeds();
  // Their heights follow from their answers. What is below them has its place once they are drawn.
  const isPlaced = Object.values(needs).every((query) => !query || isKnown(query));
  return (
    <>
      <Title
        sub={
          <>
            {longDay(fromMs, tz)} · times in {tz}
            {usage && ` · ${plural(usage.jobs.used, 'job')}`}
          </>
        }
      >
        Today
      </Title>
      {isPlaced ? <NeedsYou needs={needs} ended={day.ended} /> : <Skeleton height={104} />}
      <div class={isPlaced ? undefined : 'unplaced'}>
        <Loaded query={day.query}>{() => <Numbers figures={day.figures} limits={day.limits} />}</Loaded>
        <Strip day={day} fromMs={fromMs} toMs={toMs} />
        <div class="over">
          <PlannedLoad fromMs={fromMs} toMs={toMs} />
          <div class="stack">
            <NextUp />
            <QuotaCard />
            <RunningNow running={day.running} />
          </div>
        </div>
        <Trends of={ALL_JOBS} />
      </div>
    </>
  );
}

/** No filter: all jobs. */
const ALL_JOBS = {};

interface StripProps {
  day: DaySoFar;
  fromMs: number;
  toMs: number;
}

function Strip({ day, fromMs, toMs }: StripProps) {
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
      <div class="scroll drawn" tabIndex={0} role="region" aria-label="Executions over the day">
        {isKnown(day.query) ? (
          <DayStrip parts={day.partsOf(load.data?.counts ?? [], { fromMs, toMs, nowMs })} nowMs={nowMs} />
        ) : (
          <Skeleton ratio={DAY_STRIP_RATIO} />
        )}
      </div>
    </Card>
  );
}
