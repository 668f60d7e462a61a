import { useState } from 'preact/hooks';

import type { JobDefinition } from '../../client/browser';
import { JsonField, jsonProblem } from '../parts/json-field';
import { withValue } from './diff';
import { Choice, Labelled } from '../parts/labelled';
import { PRIORITIES } from '../parts/priorities';

interface DefinitionFormProps {
  definition: JobDefinition;
  onChange(definition: JobDefinition): void;
  problem(path: string): string | undefined;
}

type Put = (path: string, value: unknown) => void;

const same = <Value extends string>(values: readonly Value[]) => values.map((one) => [one, one] as const);
const OVERLAPS = same(['allow', 'skip', 'queue', 'replace'] as const);
const MISFIRES = same(['fire-now', 'fire-once', 'fire-all', 'skip'] as const);
const METHODS = same(['POST', 'GET', 'PUT', 'PATCH', 'DELETE'] as const);

/** The fields of a definition that most jobs set. The JSON has all of them. */
export function DefinitionForm({ definition, onChange, problem }: DefinitionFormProps) {
  const put: Put = (path, value) =>
    onChange(withValue(definition, path.split('.'), value === '' ? undefined : value) as JobDefinition);
  const line = (path: string, label: string, value: string | undefined, hint?: string) => (
    <Labelled text={label} hint={hint} wrong={problem(path)}>
      <input
        class="field"
        value={value ?? ''}
        spellcheck={false}
        aria-invalid={problem(path) !== undefined}
        onInput={(event) => put(path, event.currentTarget.value)}
      />
    </Labelled>
  );
  return (
    <div class="form" data-part="definition-form">
      {line('name', 'Name', definition.name)}
      <TargetFields definition={definition} put={put} problem={problem} line={line} />
      {definition.workflow ? (
        <JsonValue
          label="Workflow"
          hint="JSON: tasks that depend on tasks"
          value={definition.workflow}
          rows={22}
          onChange={(value) => put('workflow', value)}
        />
      ) : (
        <JsonValue
          label="Payload"
          hint="JSON: the body that the target gets"
          value={definition.payload}
          onChange={(value) => put('payload', value)}
        />
      )}
      <PolicyFields definition={definition} put={put} problem={problem} line={line} />
      {line('orderingKey', 'Ordering key', definition.orderingKey ?? '', 'one execution at a time')}
      <TagFields
        tags={definition.tags ?? {}}
        onChange={(tags) => put('tags', tags)}
        wrong={problem('tags')}
      />
    </div>
  );
}

type FieldsProps = Omit<DefinitionFormProps, 'onChange'> & {
  put: Put;
  line(path: string, label: string, value: string | undefined, hint?: string): preact.JSX.Element;
};

const PolicyFields = ({ definition, put, problem, line }: FieldsProps) => (
  <>
    <div class="pair">
      <Choice
        label="Priority"
        value={definition.priority ?? 'medium'}
        options={PRIORITIES}
        onChange={(priority) => put('priority', priority)}
      />
      <Choice
        label="Overlap"
        value={definition.overlap ?? 'allow'}
        options={OVERLAPS}
        onChange={(overlap) => put('overlap', overlap)}
      />
    </div>
    <div class="pair">
      <Labelled text="Attempts" wrong={problem('retry.maxAttempts')}>
        <input
          class="field"
          type="number"
          min={1}
          value={definition.retry?.maxAttempts ?? 3}
          onInput={(event) => put('retry.maxAttempts', Number(event.currentTarget.value))}
        />
      </Labelled>
      {line('retry.initialDelay', 'First pause', definition.retry?.initialDelay, 'then × 2; 10s')}
    </div>
    <div class="pair">
      <Choice
        label="Missed"
        value={definition.misfire?.policy ?? 'fire-once'}
        options={MISFIRES}
        onChange={(policy) => put('misfire.policy', policy)}
      />
      {definition.workflow
        ? line('timeout', 'Time limit of a run', definition.timeout, 'by default 24h')
        : line('timeout', 'Time limit of an attempt', definition.timeout, 'by default 5m')}
    </div>
  </>
);

function TargetFields({ definition: { target, targets, workflow }, put, line }: FieldsProps) {
  if (workflow) return null;
  if (targets) return <p class="quiet">It has {targets.length} targets. They are edited as JSON.</p>;
  if (target && target.type !== 'http')
    return <p class="quiet">Its target is {target.type}. It is edited as JSON.</p>;
  return (
    <>
      {line('target.url', 'URL', target?.url, 'https://example.com/hook')}
      <div class="pair">
        <Choice
          label="Method"
          value={target?.method ?? 'POST'}
          options={METHODS}
          onChange={(method) => put('target.method', method)}
        />
        {line('target.timeout', 'Time limit of a call', target?.timeout, '30s')}
      </div>
    </>
  );
}

/** JSON in a field of its own: the text stays as it is typed. */
function JsonValue(props: {
  label: string;
  hint: string;
  value: unknown;
  rows?: number;
  onChange(value: unknown): void;
}) {
  const [text, setText] = useState(props.value === undefined ? '' : JSON.stringify(props.value, null, 2));
  return (
    <JsonField
      label={props.label}
      hint={props.hint}
      value={text}
      rows={props.rows ?? 5}
      onChange={(changed) => {
        setText(changed);
        if (jsonProblem(changed) === undefined)
          props.onChange(changed.trim() ? (JSON.parse(changed) as unknown) : undefined);
      }}
    />
  );
}

function TagFields(props: {
  tags: Readonly<Record<string, string>>;
  onChange(tags: Record<string, string>): void;
  wrong: string | undefined;
}) {
  const [text, setText] = useState(
    Object.entries(props.tags)
      .map(([name, value]) => `${name}:${value}`)
      .join(' '),
  );
  return (
    <Labelled text="Tags" hint="team:billing env:prod" wrong={props.wrong}>
      <input
        class="field"
        value={text}
        spellcheck={false}
        onInput={(event) => {
          setText(event.currentTarget.value);
          const pairs = event.currentTarget.value.split(/\s+/).filter((one) => one.includes(':'));
          props.onChange(
            Object.fromEntries(pairs.map((one) => one.split(/:(.*)/s).slice(0, 2) as [string, string])),
          );
        }}
      />
    </Labelled>
  );
}
