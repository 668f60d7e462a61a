import type { PlannedDay } from '../planning/month-days';
import { plural } from '../time/format';

const WEEKDAYS = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'];
const name = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** A month as people know it: what is planned, what is left out, and where clocks change. */
export function Month({ days, today }: { days: readonly PlannedDay[]; today: string }) {
  const first = new Date(`${days[0]!.date}T00:00:00Z`);
  const lead = (first.getUTCDay() + 6) % 7;
  const cells: (PlannedDay | undefined)[] = [...Array<undefined>(lead).fill(undefined), ...days];
  const weeks = Array.from({ length: Math.ceil(cells.length / 7) }, (_, week) =>
    Array.from({ length: 7 }, (__, index) => cells[week * 7 + index]),
  );
  return (
    <table class="month">
      <caption>{name.format(first)}</caption>
      <thead>
        <tr>
          {WEEKDAYS.map((weekday) => (
            <th key={weekday} scope="col">
              {weekday}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week, index) => (
          <tr key={index}>
            {week.map((one, column) => (
              <Day key={column} day={one} isToday={one?.date === today} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Day({ day, isToday }: { day: PlannedDay | undefined; isToday: boolean }) {
  if (!day) return <td />;
  const { date, planned, isExcluded, clocks } = day;
  const facts = [
    planned > 0 && plural(planned, 'occurrence'),
    isExcluded && 'left out',
    clocks,
    isToday && 'today',
  ].filter(Boolean);
  const classes = [
    planned > 0 && 'planned',
    isExcluded && 'excluded',
    clocks && 'clocks',
    isToday && 'today',
  ];
  return (
    <td
      class={classes.filter(Boolean).join(' ')}
      title={facts.length > 0 ? `${date}: ${facts.join(', ')}` : date}
    >
      {Number(date.slice(-2))}
      {facts.length > 0 && <span class="hidden"> {facts.join(', ')}</span>}
    </td>
  );
}
