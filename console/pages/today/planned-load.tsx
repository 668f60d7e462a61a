import { useState } from 'preact/hooks';

import { useLoad } from '../../api/planned';
import { now } from '../../app/now';
import { later } from '../../app/page';
import { zone } from '../../app/zone';
import { HeatMap } from '../../draw/heat-map';
import { quietest } from '../../editor/minutes';
import { Card, Note, Segments } from '../../parts/card';
import { Icon } from '../../parts/icons';
import { Loaded } from '../../parts/states';
import { Table } from '../../parts/table';
import { clock, count, DAY_MS, day, isoDate, MINUTE_MS, startOfDate } from '../../time/format';
import { busiest } from './figures';

/** It comes with the dialogs of bulk actions, which few visits need. */
const SpreadButton = later(async () => (await import('./spread')).SpreadButton, 0);

const DAYS = [
  ['today', 'Today'],
  ['tomorrow', 'Tomorrow'],
  ['worst', 'Worst of 7 days'],
] as const;
type Shown = (typeof DAYS)[number][0];

interface PlannedLoadProps {
  fromMs: number;
  toMs: number;
}

/** What is planned, by minute: where a day is full, and where it is quiet. */
export function PlannedLoad({ fromMs, toMs }: PlannedLoadProps) {
  const [shown, setShown] = useState<Shown>('today');
  const tz = zone.value;
  // The whole range that a choice needs, from a fixed instant: another second is not another request.
  const range =
    shown === 'today'
      ? [fromMs, toMs]
      : shown === 'tomorrow'
        ? [toMs, startOfDate(isoDate(toMs + 1.5 * DAY_MS, tz), tz)]
        : [fromMs, fromMs + 7 * DAY_MS];
  const load = useLoad(range[0]!, range[1]!);
  return (
    <Card
      part="planned-load"
      title="Planned load by minute"
      more={<Segments label="Day" value={shown} options={DAYS} onChange={(one) => setShown(one)} />}
    >
      <Loaded query={load} height={520}>
        {({ counts, from }) => {
          const startMs = Date.parse(from);
          const { firstMs, minutes } =
            shown === 'worst' ? worstDay(counts, startMs) : { firstMs: startMs, minutes: counts };
          return <DayLoad counts={minutes} fromMs={firstMs} isWorst={shown === 'worst'} />;
        }}
      </Loaded>
    </Card>
  );
}

/** The day, of 24 hours from midnight, that has the fullest minute. */
function worstDay(
  counts: readonly number[],
  startMs: number,
): { firstMs: number; minutes: readonly number[] } {
  const days = Array.from({ length: Math.ceil(counts.length / 1_440) }, (_, index) =>
    counts.slice(index * 1_440, (index + 1) * 1_440),
  );
  const fullest = days.map((minutes) => Math.max(0, ...minutes));
  const index = fullest.indexOf(Math.max(...fullest));
  return { firstMs: startMs + index * DAY_MS, minutes: days[index] ?? [] };
}

interface DayLoadProps {
  counts: readonly number[];
  fromMs: number;
  isWorst: boolean;
}

function DayLoad({ counts, fromMs, isWorst }: DayLoadProps) {
  const tz = zone.value;
  const top = busiest(counts, 5);
  const total = counts.reduce((sum, one) => sum + one, 0);
  const atMinute = (minute: number) => clock(fromMs + minute * MINUTE_MS, tz);
  const most = top[0];
  const nowMinute = Math.floor((now.peek() - fromMs) / MINUTE_MS);
  const mark = most?.minute ?? Math.min(Math.max(0, nowMinute), Math.max(0, counts.length - 1));
  if (counts.length === 0) return <p class="quiet">Nothing is planned.</p>;
  return (
    <>
      {isWorst && <p class="second">{day(fromMs, tz, now.value)}</p>}
      <HeatMap counts={counts} fromMs={fromMs} zone={tz} mark={mark} />
      {most && most.count > 1 && (
        <Note icon={<Icon name="info" />}>
          {count(most.count)} of the day’s {count(total)} executions fall due at {atMinute(most.minute)}. The
          quietest minute within ten of it: <strong>{atMinute(quietest(counts, most.minute))}</strong>.{' '}
          <SpreadButton fromMs={fromMs + most.minute * MINUTE_MS} />
        </Note>
      )}
      {top.length > 0 && (
        <Table
          label="Table of the busiest minutes"
          class="tight busy"
          part="busiest"
          heads={['Busiest minutes', ['Planned', 'num'], 'Share of the day']}
        >
          {top.map(({ minute, count: planned }) => (
            <tr key={minute}>
              <td>{atMinute(minute)}</td>
              <td class="num">{count(planned)}</td>
              <td>
                <svg width="150" height="10" aria-hidden="true">
                  <rect
                    width={Math.max(2, (planned / top[0]!.count) * 150)}
                    height="10"
                    rx="2"
                    fill="var(--heat-4)"
                  />
                </svg>
                <span class="hidden">{((planned / total) * 100).toFixed(1)} %</span>
              </td>
            </tr>
          ))}
        </Table>
      )}
    </>
  );
}
