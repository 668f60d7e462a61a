import { useLayoutEffect, useRef, useState } from 'preact/hooks';

import { Labelled } from '../../parts/labelled';
import {
  type Asked,
  faultOfId,
  type Given,
  INSERTIONS,
  type Insertion,
  insertionOf,
  taskOf,
} from './insertions';
import type { JsonText } from './json-text';

const ASKED: Record<Asked, readonly [label: string, example: string]> = {
  url: ['URL', 'https://example.com/load'],
  value: ['Value', '{{ tasks.extract.output.rows }}'],
  equals: ['Branch “yes” if it equals', 'true'],
  items: ['Items', '{{ tasks.extract.output.files }}'],
  note: ['Question', 'Release it?'],
  job: ['Job', 'send-report'],
};
const KINDS = Object.keys(INSERTIONS) as Insertion[];

interface InsertFormProps {
  text: string;
  read: JsonText;
  /** What a new task comes after. */
  chosen: string | undefined;
  onInsert(id: string, edit: { at: number; text: string }): void;
}

/** Buttons that insert a task, each with a small form. */
export function InsertForm({ text, read, chosen, onInsert }: InsertFormProps) {
  const [kind, setKind] = useState<Insertion>();
  const tasks = read.fault ? undefined : read.root.fields?.get('tasks')?.fields;
  return (
    <div class="spaced" data-part="workflow-insert">
      <p class="acts" role="group" aria-label="Insert">
        <span class="quiet">Insert</span>
        {KINDS.map((one) => (
          <button
            key={one}
            type="button"
            class="btn small"
            disabled={!tasks}
            aria-expanded={kind === one}
            onClick={() => setKind(kind === one ? undefined : one)}
          >
            {INSERTIONS[one].words}
          </button>
        ))}
      </p>
      {kind && tasks && (
        <Fields
          key={kind}
          kind={kind}
          ids={[...tasks.keys()]}
          chosen={chosen}
          onDone={(id, task) => {
            const edit = insertionOf(text, read.root, id, task);
            if (edit) onInsert(id, edit);
            setKind(undefined);
          }}
        />
      )}
    </div>
  );
}

interface FieldsProps {
  kind: Insertion;
  ids: readonly string[];
  chosen: string | undefined;
  onDone(id: string, task: Record<string, unknown>): void;
}

function Fields({ kind, ids, chosen, onDone }: FieldsProps) {
  const [id, setId] = useState('');
  const [after, setAfter] = useState(chosen ?? '');
  const [given, give] = useState<Given>({});
  const [isTried, tryIt] = useState(false);
  const first = useRef<HTMLInputElement>(null);
  // At once: the next key is typed into it.
  useLayoutEffect(() => first.current?.focus(), []);
  const fault = faultOfId(id, ids);
  const insert = (): void => {
    tryIt(true);
    if (!fault) onDone(id, taskOf(kind, given, after));
  };
  // It stands within a form, which Enter would send.
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    insert();
  };
  return (
    <div class="insert" onKeyDown={onKeyDown}>
      <Labelled text="Id of the task" wrong={isTried ? fault : undefined}>
        <input
          ref={first}
          class="field"
          value={id}
          spellcheck={false}
          onInput={(event) => setId(event.currentTarget.value)}
        />
      </Labelled>
      <Labelled text="After">
        <select class="field" value={after} onChange={(event) => setAfter(event.currentTarget.value)}>
          <option value="">nothing</option>
          {ids.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </Labelled>
      {INSERTIONS[kind].fields.map((field) => (
        <Labelled key={field} text={ASKED[field][0]}>
          <input
            class="field"
            value={given[field] ?? ''}
            placeholder={ASKED[field][1]}
            spellcheck={false}
            onInput={(event) => give({ ...given, [field]: event.currentTarget.value })}
          />
        </Labelled>
      ))}
      <button type="button" class="btn" onClick={insert}>
        Insert
      </button>
    </div>
  );
}
