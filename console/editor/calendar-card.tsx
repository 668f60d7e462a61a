import { useEffect, useState } from 'preact/hooks';

import type { Schedule } from '../../client/browser';
import { now } from '../app/now';
import { Month, type MonthDay } from '../draw/month';
import { Card, Legend } from '../parts/card';
import { Skeleton } from '../parts/states';
import type * as monthDays from '../planning/month-days';
import { isoDate, plural } from '../time/format';
import { monthAfter } from '../time/months';

interface CalendarCardProps {
  schedule: Schedule | undefined;
  zone: string;
  /** The first month: `2026-11`. */
  month: string;
  onMonth(by: number): void;
  context: { jobKey: string; changedAtMs: number };
}

type Engine = typeof monthDays;

/** Three months: what is planned, what is left out, and where clocks change. */
export function CalendarCard({ schedule, zone, month, onMonth, context }: CalendarCardProps) {
  const [engine, setEngine] = useState<Engine>();
  useEffect(() => void import('../planning/month-days').then(setEngine), []);
  const today = isoDate(now.value, zone);
  return (
    <Card
      part="calendar"
      title="Calendar"
      more={
        <>
          <Legend
            items={[
              ['planned', 'planned'],
              ['hatch', 'left out'],
              ['clocks', 'clocks change'],
            ]}
          />
          <button type="button" class="btn small" onClick={() => onMonth(-1)}>
            Earlier
          </button>
          <button type="button" class="btn small" onClick={() => onMonth(1)}>
            Later
          </button>
        </>
      }
    >
      {engine && schedule ? (
        <Months
          engine={engine}
          schedule={schedule}
          zone={zone}
          month={month}
          context={context}
          today={today}
        />
      ) : (
        <Skeleton height={240} />
      )}
    </Card>
  );
}

type MonthsProps = Omit<CalendarCardProps, 'onMonth' | 'schedule'> & {
  engine: Engine;
  schedule: Schedule;
  today: string;
};

function Months({ engine, schedule, zone, month, context, today }: MonthsProps) {
  const months = [0, 1, 2].map((by) => monthAfter(month, by));
  try {
    return (
      <div class="months">
        {months.map((one) => (
          <Month
            key={one}
            days={engine.plannedDays(schedule, one, zone, context).map(monthDayOf)}
            today={today}
          />
        ))}
      </div>
    );
  } catch {
    return <p class="quiet">This schedule has no calendar here. The next ten times are above.</p>;
  }
}

function monthDayOf({ date, planned, isExcluded, clocks }: monthDays.PlannedDay): MonthDay {
  const facts = [planned > 0 && plural(planned, 'occurrence'), isExcluded && 'left out', clocks];
  const marks = [planned > 0 && 'planned', isExcluded && 'excluded', clocks && 'clocks'];
  const present = (some: readonly (string | false | undefined)[]) =>
    some.filter((one) => typeof one === 'string');
  return { date, facts: present(facts), marks: present(marks) };
}
