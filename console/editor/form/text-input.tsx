import { useState } from 'preact/hooks';

import { useCalendars } from '../../api/calendars';
import { useConcurrencyKeys } from '../../api/concurrency-keys';
import { useSecrets } from '../../api/settings';
import { useWorkQueues } from '../../api/work';
import { ZONES } from '../../app/zone';
import { Labelled } from '../../parts/labelled';
import { differences } from '../diff';
import { atPath, putAt, type TextField, type TextKind } from './field';
import { drawnAs, textOf, valueIn } from './text';

/** Where a form stands in a definition. */
export interface Place {
  value: unknown;
  onChange(value: unknown): void;
  /** Dotted, from the definition on, as the API names its faults. */
  path: string;
  problem: ProblemAt;
}

/** What the API said about a path, or about what is below it, unless the path counts alone. */
export type ProblemAt = (path: string, which?: 'alone') => string | undefined;

export const pathIn = ({ path }: Pick<Place, 'path'>, inner: string): string =>
  [path, inner].filter(Boolean).join('.');

interface Typed {
  /** The value that was there or has come of the text; another one means that it was changed elsewhere. */
  value: unknown;
  kind: TextKind;
  text: string;
  wrong?: string;
}

/** A field of text: it stays as it is typed, and changes the value once it says one. */
export function TextInput({ field, place }: { field: TextField; place: Place }) {
  const value = atPath(place.value, field.path);
  const [typed, setTyped] = useState<Typed>();
  const kind = drawnAs(field, value);
  const shown: Typed =
    typed && differences(typed.value, value).length === 0
      ? typed
      : { value, kind, text: textOf(kind, value) };
  const type = (text: string): void => {
    try {
      const said = valueIn(field, shown.kind, text, value);
      setTyped({ value: said, kind: shown.kind, text });
      place.onChange(putAt(place.value, field.path, said));
    } catch (thrown) {
      setTyped({ value, kind: shown.kind, text, wrong: (thrown as Error).message });
    }
  };
  return (
    <Drawn
      field={field}
      kind={shown.kind}
      text={shown.text}
      type={type}
      own={shown.wrong}
      wrong={shown.wrong ?? place.problem(pathIn(place, field.path))}
    />
  );
}

interface DrawnProps {
  field: TextField;
  kind: TextKind;
  text: string;
  type(text: string): void;
  /** What is wrong with the text itself: the form cannot be sent. */
  own: string | undefined;
  wrong: string | undefined;
}

const AREAS: ReadonlySet<TextKind> = new Set(['lines', 'pairs', 'exclusions', 'calendars', 'json', 'object']);

function Drawn({ field, kind, text, type, own, wrong }: DrawnProps) {
  if (kind === 'flag') return <Flag field={field} isSet={text !== ''} type={type} wrong={wrong} />;
  const { label, hint, usual, rows, isWide } = field;
  const isArea = AREAS.has(kind);
  const asJson = kind === 'json' && field.kind !== 'json' ? 'as JSON' : hint;
  const attributes = {
    class: 'field',
    value: text,
    spellcheck: false,
    'aria-invalid': wrong !== undefined,
    ref: (element: HTMLInputElement | HTMLTextAreaElement | null) => element?.setCustomValidity(own ?? ''),
    onInput: (event: { currentTarget: { value: string } }) => type(event.currentTarget.value),
  };
  const input = isArea ? (
    <textarea {...attributes} rows={rows ?? 2} placeholder={usual} />
  ) : kind === 'choice' ? (
    <Options field={field} text={text} type={type} wrong={wrong} />
  ) : kind === 'secret' ? (
    <SecretOptions text={text} attributes={attributes} />
  ) : (
    <input {...attributes} placeholder={usual} list={field.names && `names-${field.names}`} />
  );
  return (
    <div class={isArea || isWide ? 'wide' : undefined}>
      <Labelled text={label} hint={asJson} wrong={wrong}>
        {input}
      </Labelled>
      {field.names && <Names of={field.names} />}
      {(kind === 'exclusions' || kind === 'calendars') && <AddCalendar kind={kind} text={text} type={type} />}
    </div>
  );
}

const Flag = ({
  field,
  isSet,
  type,
  wrong,
}: Pick<DrawnProps, 'field' | 'type' | 'wrong'> & { isSet: boolean }) => (
  <label class="check wide">
    <input
      type="checkbox"
      checked={isSet}
      aria-invalid={wrong !== undefined}
      onChange={(event) => type(event.currentTarget.checked ? 'yes' : '')}
    />
    <span>
      {field.label} {wrong && <span class="wrong">{wrong}</span>}
    </span>
  </label>
);

/** A choice begins with what the API takes without one. A value that it does not know has an option too. */
function Options({
  field: { values = [], usual, isRequired },
  text,
  type,
  wrong,
}: Omit<DrawnProps, 'kind' | 'own'>) {
  const known = values.some(([value]) => value === text);
  const usualWords = values.find(([value]) => value === usual)?.[1] ?? usual;
  return (
    <select
      class="field"
      value={text}
      aria-invalid={wrong !== undefined}
      onChange={(event) => type(event.currentTarget.value)}
    >
      {!isRequired && <option value="">{usualWords === undefined ? '–' : `as usual: ${usualWords}`}</option>}
      {!known && text !== '' && <option value={text}>{text}</option>}
      {values.map(([value, words]) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </select>
  );
}

/** One of the secrets of the project; a field of text for who may not list them. */
function SecretOptions({ text, attributes }: { text: string; attributes: object }) {
  const { data } = useSecrets();
  if (!data) return <input {...attributes} placeholder="{{ secrets.NAME }}" />;
  const references = data.map(({ name }) => `{{ secrets.${name} }}`);
  const all = text === '' || references.includes(text) ? references : [text, ...references];
  return (
    <select {...attributes}>
      <option value="">{data.length > 0 ? '–' : 'no secrets yet: Settings, Secrets'}</option>
      {all.map((one) => (
        <option key={one} value={one}>
          {one}
        </option>
      ))}
    </select>
  );
}

type NamesOf = NonNullable<TextField['names']>;
const List = ({ of, names = [] }: { of: NamesOf; names: readonly string[] | undefined }) => (
  <datalist id={`names-${of}`}>
    {names.map((name) => (
      <option key={name} value={name} />
    ))}
  </datalist>
);
const Queues = () => <List of="queues" names={useWorkQueues(false).data?.map(({ queue }) => queue)} />;
/** A job under a rule names the value of its payload that completes a key. */
const keyOfJob = (key: string): string => key.replace(/\*$/, '{{ payload. }}');
const ConcurrencyKeyNames = () => (
  <List of="concurrency-keys" names={useConcurrencyKeys().data?.map(({ key }) => keyOfJob(key))} />
);
const NAMES: Record<NamesOf, () => preact.JSX.Element> = {
  zones: () => <List of="zones" names={ZONES} />,
  queues: Queues,
  'concurrency-keys': ConcurrencyKeyNames,
};
function Names({ of }: { of: NamesOf }) {
  const Those = NAMES[of];
  return <Those />;
}

/** Adds a line with a calendar of the project. */
function AddCalendar({ kind, text, type }: Pick<DrawnProps, 'kind' | 'text' | 'type'>) {
  const { data = [] } = useCalendars();
  if (data.length === 0) return null;
  const lineOf = (calendarId: string) => textOf(kind, [{ calendar: calendarId }]);
  return (
    <select
      class="field small"
      aria-label="Add a calendar"
      value=""
      onChange={({ currentTarget }) => {
        type([text.trimEnd(), lineOf(currentTarget.value)].filter(Boolean).join('\n'));
        currentTarget.value = '';
      }}
    >
      <option value="">Add a calendar</option>
      {data.map(({ calendarId }) => (
        <option key={calendarId} value={calendarId}>
          {calendarId}
        </option>
      ))}
    </select>
  );
}
