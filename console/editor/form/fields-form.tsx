import { useRef, useState } from 'preact/hooks';

import { Labelled } from '../../parts/labelled';
import {
  atPath,
  type EachField,
  type FormField,
  kindOf,
  type KindField,
  type Kinds,
  putAt,
  shownOf,
  type TextField,
  withoutField,
} from './field';
import { pathIn, type Place, TextInput } from './text-input';

interface FieldsFormProps {
  fields: readonly FormField[];
  place: Place;
}

/** The fields that a value has a use for. What none of them shows stays as it is. */
export const FieldsForm = ({ fields, place }: FieldsFormProps) => (
  <div class="fields">
    {shownOf(fields, place.value).map((field) => (
      <OneField key={field.path + field.label} field={field} place={place} />
    ))}
  </div>
);

function OneField({ field, place }: { field: FormField; place: Place }) {
  if (field.kind === 'one-of') return <KindForm field={field} place={innerPlace(place, field.path)} />;
  if (field.kind === 'each') return <EachForm field={field} place={innerPlace(place, field.path)} />;
  return <TextInput field={field} place={place} />;
}

/** Where the value of a field stands. */
const innerPlace = (place: Place, path: string): Place => ({
  value: atPath(place.value, path),
  onChange: (value) => place.onChange(putAt(place.value, path, value)),
  path: pathIn(place, path),
  problem: place.problem,
});

const AS_JSON = 'json';
const WHOLE: Pick<TextField, 'path' | 'kind' | 'rows'> = { path: '', kind: 'json', rows: 8 };

interface KindFormProps {
  field: Pick<KindField, 'label' | 'kinds' | 'none'>;
  place: Place;
}

/** The kind of a value and its fields. What was typed for another kind comes back with that kind. */
export function KindForm({ field: { label, kinds, none }, place }: KindFormProps) {
  const [asJson, setAsJson] = useState(false);
  const kept = useRef(new Map<string, unknown>());
  const known = kindOf(kinds, place.value);
  const kind = asJson || known === undefined ? AS_JSON : known;
  const choose = (chosen: string): void => {
    setAsJson(chosen === AS_JSON);
    if (chosen === AS_JSON || chosen === known) return;
    kept.current.set(known ?? AS_JSON, place.value);
    place.onChange(kept.current.get(chosen) ?? kinds[chosen]?.start);
  };
  const wrong = place.problem(place.path, 'alone') ?? place.problem(`${place.path}.type`);
  return (
    <fieldset class="kind wide">
      <Labelled text={label} wrong={kind === AS_JSON ? undefined : wrong}>
        <select
          class="field"
          value={kind}
          aria-invalid={wrong !== undefined}
          onChange={(event) => choose(event.currentTarget.value)}
        >
          {(none !== undefined || kind === '') && <option value="">{none ?? '–'}</option>}
          {wordsOfKinds(kinds).map(([one, words]) => (
            <option key={one} value={one}>
              {words}
            </option>
          ))}
          <option value={AS_JSON}>As JSON</option>
        </select>
      </Labelled>
      {kind === AS_JSON ? (
        <TextInput field={{ ...WHOLE, label: `${label} as JSON` }} place={place} />
      ) : (
        kind !== '' && <FieldsForm key={kind} fields={kinds[kind]!.fields} place={place} />
      )}
      {kind !== AS_JSON && kind !== '' && <OnlyInJson fields={kinds[kind]!.fields} place={place} />}
    </fieldset>
  );
}

const wordsOfKinds = (kinds: Kinds) =>
  Object.entries(kinds).map(([kind, { words }]) => [kind, words] as const);

/** What a value has beside its fields. */
export function OnlyInJson({ fields, place }: FieldsFormProps) {
  const names = withoutField(fields, place.value);
  return names.length > 0 ? <p class="quiet">Only in the JSON: {names.join(', ')}.</p> : null;
}

function EachForm({ field: { label, kinds, one }, place }: { field: EachField; place: Place }) {
  const { value } = place;
  if (!Array.isArray(value)) return <TextInput field={{ ...WHOLE, label }} place={place} />;
  const items = value as readonly unknown[];
  return (
    <div class="wide form">
      {items.map((item, index) => (
        <div key={index} class="form">
          <KindForm
            field={{ label: `${one} ${index + 1}`, kinds }}
            place={{
              value: item,
              onChange: (changed) => place.onChange(items.with(index, changed)),
              path: pathIn(place, String(index)),
              problem: place.problem,
            }}
          />
          {items.length > 1 && (
            <button
              type="button"
              class="btn bare small"
              onClick={() => place.onChange(items.toSpliced(index, 1))}
            >
              Remove {one.toLowerCase()} {index + 1}
            </button>
          )}
        </div>
      ))}
      <button
        type="button"
        class="btn small"
        onClick={() => place.onChange([...items, Object.values(kinds)[0]!.start])}
      >
        Add one more
      </button>
    </div>
  );
}
