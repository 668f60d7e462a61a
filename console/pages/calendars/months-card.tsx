import { useState } from 'preact/hooks';

import type { CalendarDefinition } from '../../../client/browser';
import { now } from '../../app/now';
import { zone } from '../../app/zone';
import { Month, type MonthDay } from '../../draw/month';
import { Card, Legend } from '../../parts/card';
import { type CalendarDay, calendarDays } from '../../planning/calendar-days';
import { isoDate } from '../../time/format';
import { monthAfter } from '../../time/months';

/** Three months of a calendar: the days that it has, in whole or in part. */
export function MonthsCard({ calendar }: { calendar: CalendarDefinition }) {
  const today = isoDate(now.value, calendar.timezone || zone.value);
  const [month, setMonth] = useState(today.slice(0, 7));
  return (
    <Card
      part="calendar-months"
      title="Days"
      more={
        <>
          <Legend
            items={[
              ['hatch', 'whole day'],
              ['partly', 'some hours'],
            ]}
          />
          <button type="button" class="btn small" onClick={() => setMonth(monthAfter(month, -3))}>
            Earlier
          </button>
          <button type="button" class="btn small" onClick={() => setMonth(monthAfter(month, 3))}>
            Later
          </button>
        </>
      }
    >
      <div class="months">
        {[0, 1, 2].map((by) => (
          <Month
            key={by}
            days={calendarDays(calendar, monthAfter(month, by)).map(monthDayOf)}
            today={today}
          />
        ))}
      </div>
    </Card>
  );
}

const monthDayOf = ({ date, has, notes }: CalendarDay): MonthDay => ({
  date,
  facts:
    has === undefined ? [] : [has === 'all' ? 'in the calendar' : 'some hours in the calendar', ...notes],
  marks: has === undefined ? [] : [has === 'all' ? 'excluded' : 'partly'],
});
