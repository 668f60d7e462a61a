/** A date of a month, and what is to be said of it. */
export interface MonthDay {
  /** `2026-11-23` */
  date: string;
  facts: readonly string[];
  /** `planned`, `excluded`, `partly`, `clocks` */
  marks: readonly string[];
}

const WEEKDAYS = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'];
const name = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** A month as people know it. */
export function Month({ days, today }: { days: readonly MonthDay[]; today: string }) {
  const first = new Date(`${days[0]!.date}T00:00:00Z`);
  const lead = (first.getUTCDay() + 6) % 7;
  const cells: (MonthDay | undefined)[] = [...Array<undefined>(lead).fill(undefined), ...days];
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

function Day({ day, isToday }: { day: MonthDay | undefined; isToday: boolean }) {
  if (!day) return <td />;
  const { date, facts, marks } = day;
  const said = isToday ? [...facts, 'today'] : facts;
  return (
    <td
      class={[...marks, ...(isToday ? ['today'] : [])].join(' ')}
      title={said.length > 0 ? `${date}: ${said.join(', ')}` : date}
    >
      {Number(date.slice(-2))}
      {said.length > 0 && <span class="hidden"> {said.join(', ')}</span>}
    </td>
  );
}
