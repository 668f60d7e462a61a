import { useEffect, useRef, useState } from 'preact/hooks';

import type { JobDefinition } from '../../../client/browser';
import { Go } from '../../app/go';
import { Segments } from '../../parts/card';
import { atPath, type FormField, kindOf, putAt, shownOf } from './field';
import { FieldsForm, OnlyInJson } from './fields-form';
import { JOB_FIELDS, NAME_FIELDS, type Section, SECTIONS, WORK_FIELDS } from './job-fields';
import { CALLED_KINDS } from './target-kinds';
import { textOf } from './text';
import type { Place, ProblemAt } from './text-input';

interface DefinitionFormProps {
  definition: JobDefinition;
  onChange(definition: JobDefinition): void;
  problem: ProblemAt;
}

/** Schedule and workflow have editors of their own, and the id cannot be changed. */
const ELSEWHERE: readonly FormField[] = ['schedule', 'workflow', 'jobId'].map((path) => ({
  path,
  label: path,
  kind: 'json',
}));
const KNOWN = [...JOB_FIELDS, ...ELSEWHERE];

/** Every field of a definition but its schedule. It changes what is typed, and keeps all else. */
export function DefinitionForm({ definition, onChange, problem }: DefinitionFormProps) {
  const change = (value: unknown): void => onChange(value as JobDefinition);
  const place: Place = { value: definition, onChange: change, path: '', problem };
  return (
    <div class="form" data-part="definition-form">
      <FieldsForm fields={NAME_FIELDS} place={place} />
      {!definition.workflow && <HowMany place={place} />}
      <FieldsForm fields={WORK_FIELDS} place={place} />
      {SECTIONS.map((section) => (
        <Folded key={section.title} section={section} place={place} />
      ))}
      <OnlyInJson fields={KNOWN} place={place} />
      <p class="quiet">
        Tags decide who is notified: see <Go to="/settings/notifications">notifications</Go>.
      </p>
    </div>
  );
}

/** One target, or several. What the other had comes back with it. */
function HowMany({ place }: { place: Place }) {
  const [target, targets] = [atPath(place.value, 'target'), atPath(place.value, 'targets')];
  const kept = useRef<{ target?: unknown; targets?: unknown }>({});
  const choose = (chosen: 'one' | 'several'): void => {
    const first = kindOf(CALLED_KINDS, target) ? target : CALLED_KINDS.http!.start;
    const isOne = chosen === 'one';
    const without = putAt(place.value, isOne ? 'targets' : 'target', undefined);
    const value = isOne
      ? (kept.current.target ?? (Array.isArray(targets) ? (targets as unknown[])[0] : undefined))
      : (kept.current.targets ?? [first]);
    kept.current = { target, targets };
    place.onChange(putAt(without, isOne ? 'target' : 'targets', value));
  };
  const has = targets === undefined ? 'one' : 'several';
  return (
    <p class="acts">
      <Segments
        label="How many targets"
        value={has}
        options={[
          ['one', 'One target'],
          ['several', 'Several targets'],
        ]}
        onChange={(chosen) => chosen !== has && choose(chosen)}
      />
    </p>
  );
}

/** Whether a field says something that the API would not take without it. */
const isSet = (field: FormField, form: unknown): boolean => {
  const value = atPath(form, field.path);
  if (field.kind === 'one-of' || field.kind === 'each') return value !== undefined;
  const text = textOf(field.kind, value);
  return text !== '' && text !== field.usual;
};

/** A section that is closed until it is wanted, or until the API says something about it. */
function Folded({ section: { title, hint, fields }, place }: { section: Section; place: Place }) {
  const [isOpen] = useState(() => fields.some((field) => isSet(field, place.value)));
  const details = useRef<HTMLDetailsElement>(null);
  const unfold = (): void => {
    details.current!.open = true;
  };
  const isWrong = shownOf(fields, place.value).some(({ path }) => place.problem(path) !== undefined);
  useEffect(() => {
    if (isWrong) unfold();
  }, [isWrong]);
  return (
    <details class="section" open={isOpen} ref={details} onInvalidCapture={unfold}>
      <summary>
        {title} <span class="hint">{hint}</span>
      </summary>
      <FieldsForm fields={fields} place={place} />
    </details>
  );
}
