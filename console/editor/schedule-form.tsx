import { ZONES } from '../app/zone';
import { type Kind, type ScheduleDraft } from './schedule-draft';
import { JsonField } from '../parts/json-field';
import { Choice, Labelled } from '../parts/labelled';

interface ScheduleFormProps {
  draft: ScheduleDraft;
  onChange(draft: ScheduleDraft): void;
  /** What the API said about a field of the schedule. */
  problem?(field: string): string | undefined;
}

const KIND_WORDS: Record<Kind, string> = {
  cron: 'Cron',
  interval: 'Interval',
  at: 'Once, at a time',
  delay: 'Once, after a while',
  json: 'As JSON',
};
const MAIN_WORDS: Record<Exclude<Kind, 'json'>, readonly [label: string, hint: string, field: string]> = {
  cron: ['Expression', 'minute hour day month weekday', 'expression'],
  interval: ['Every', '30s, 36h, 7d, P1M', 'every'],
  at: ['At', '2026-12-01T09:00:00Z, or a local time with a zone', 'at'],
  delay: ['After', '10m, 36h', 'delay'],
};
/** What each kind begins with. */
const BEGIN: Record<Kind, string> = {
  cron: '30 9 * * MON-FRI',
  interval: '1h',
  at: '',
  delay: '10m',
  json: '{ "type": "none" }',
};

/** The fields of a schedule. */
export function ScheduleForm({ draft, onChange, problem = () => undefined }: ScheduleFormProps) {
  const put = (changes: Partial<ScheduleDraft>) => onChange({ ...draft, ...changes });
  const isRecurring = draft.kind === 'cron' || draft.kind === 'interval';
  return (
    <div class="form" data-part="schedule-form">
      <Labelled text="Kind">
        <select
          class="field"
          value={draft.kind}
          onChange={(event) => {
            const kind = event.currentTarget.value as Kind;
            put({ kind, main: BEGIN[kind] });
          }}
        >
          {Object.entries(KIND_WORDS).map(([kind, words]) => (
            <option key={kind} value={kind}>
              {words}
            </option>
          ))}
        </select>
      </Labelled>
      <MainField draft={draft} put={put} problem={problem} />
      {draft.kind !== 'delay' && draft.kind !== 'json' && (
        <ZoneField value={draft.timezone} put={put} wrong={problem('timezone')} />
      )}
      {isRecurring && <RecurringFields draft={draft} put={put} problem={problem} />}
    </div>
  );
}

interface FieldsProps {
  draft: ScheduleDraft;
  put(changes: Partial<ScheduleDraft>): void;
  problem(field: string): string | undefined;
}

function MainField({ draft: { kind, main }, put, problem }: FieldsProps) {
  if (kind === 'json')
    return <JsonField label="Schedule" value={main} onChange={(text) => put({ main: text })} rows={6} />;
  const [label, hint, field] = MAIN_WORDS[kind];
  return (
    <Labelled text={label} hint={hint} wrong={problem(field) ?? problem('')}>
      <input
        class="field mono"
        value={main}
        spellcheck={false}
        aria-invalid={problem(field) !== undefined}
        onInput={(event) => put({ main: event.currentTarget.value })}
      />
    </Labelled>
  );
}

const ZoneField = ({
  value,
  put,
  wrong,
}: {
  value: string;
  put: FieldsProps['put'];
  wrong: string | undefined;
}) => (
  <Labelled text="Time zone" hint="UTC if it is empty" wrong={wrong}>
    <input
      class="field"
      list="zones"
      value={value}
      spellcheck={false}
      onInput={(event) => put({ timezone: event.currentTarget.value })}
    />
    <datalist id="zones">
      {ZONES.map((name) => (
        <option key={name} value={name} />
      ))}
    </datalist>
  </Labelled>
);

const GAPS = [
  ['', 'as usual: move it'],
  ['shift', 'move to the first instant after'],
  ['skip', 'leave it out'],
] as const;
const OVERLAPS = [
  ['', 'as usual: the first'],
  ['first', 'the first'],
  ['second', 'the second'],
  ['both', 'both'],
] as const;

function RecurringFields({ draft, put, problem }: FieldsProps) {
  const line = (field: 'startAt' | 'endAt' | 'jitter', label: string, example: string, hint?: string) => (
    <Labelled text={label} hint={hint} wrong={problem(field)}>
      <input
        class="field"
        value={draft[field]}
        placeholder={example}
        spellcheck={false}
        onInput={(event) => put({ [field]: event.currentTarget.value })}
      />
    </Labelled>
  );
  return (
    <>
      <div class="pair">
        <Choice
          label="Missing local time"
          value={draft.gap}
          options={GAPS}
          onChange={(gap) => put({ gap })}
        />
        <Choice
          label="Repeated local time"
          value={draft.overlap}
          options={OVERLAPS}
          onChange={(overlap) => put({ overlap })}
        />
      </div>
      <Labelled text="Leave out" hint="dates, ranges or expressions, one a line" wrong={problem('exclude')}>
        <textarea
          class="field"
          rows={2}
          placeholder="2026-12-24/2027-01-01"
          value={draft.exclude}
          spellcheck={false}
          onInput={(event) => put({ exclude: event.currentTarget.value })}
        />
      </Labelled>
      <div class="pair">
        {line('startAt', 'From', '2026-12-01T00:00')}
        {line('endAt', 'Until before', '2027-01-01T00:00')}
      </div>
      {line('jitter', 'Spread by', '5m', 'later by a part of this that stays the same')}
    </>
  );
}
