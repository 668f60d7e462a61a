import { ZONES } from '../../app/zone';
import { type CalendarDraft, WEEKDAYS } from '../../editor/calendar-draft';
import { Labelled } from '../../parts/labelled';

interface CalendarFormProps {
  draft: CalendarDraft;
  onChange(draft: CalendarDraft): void;
  problem(field: string): string | undefined;
}

/** The fields of a calendar. */
export function CalendarForm({ draft, onChange, problem }: CalendarFormProps) {
  const put = (changes: Partial<CalendarDraft>) => onChange({ ...draft, ...changes });
  return (
    <>
      <Labelled text="Name" wrong={problem('name')}>
        <input
          class="field"
          value={draft.name}
          onInput={(event) => put({ name: event.currentTarget.value })}
        />
      </Labelled>
      <Labelled text="Time zone" hint="that of each schedule if it is empty" wrong={problem('timezone')}>
        <input
          class="field"
          list="calendar-zones"
          value={draft.timezone}
          spellcheck={false}
          onInput={(event) => put({ timezone: event.currentTarget.value })}
        />
        <datalist id="calendar-zones">
          {ZONES.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </Labelled>
      <WeekdayFields chosen={draft.weekdays} onChange={(weekdays) => put({ weekdays })} />
      <Labelled
        text="Dates"
        hint="one a line: 2026-12-25, or 2026-12-24T18:00/2026-12-27T06:00 freeze"
        wrong={problem('dates')}
      >
        <textarea
          class="field"
          rows={10}
          value={draft.dates}
          spellcheck={false}
          onInput={(event) => put({ dates: event.currentTarget.value })}
        />
      </Labelled>
      <Labelled text="Every year" hint="01-01 12-25" wrong={problem('yearly')}>
        <input
          class="field mono"
          value={draft.yearly}
          spellcheck={false}
          onInput={(event) => put({ yearly: event.currentTarget.value })}
        />
      </Labelled>
    </>
  );
}

const WeekdayFields = ({
  chosen,
  onChange,
}: {
  chosen: CalendarDraft['weekdays'];
  onChange(days: CalendarDraft['weekdays']): void;
}) => (
  <fieldset class="weekdays">
    <legend>Weekdays</legend>
    {WEEKDAYS.map((day) => (
      <label key={day} class="check">
        <input
          type="checkbox"
          checked={chosen.includes(day)}
          onChange={() =>
            onChange(chosen.includes(day) ? chosen.filter((one) => one !== day) : [...chosen, day])
          }
        />
        {day}
      </label>
    ))}
  </fieldset>
);
