import type { ComponentChildren } from 'preact';

interface ChoiceProps<Value extends string> {
  label: string;
  value: Value;
  options: readonly (readonly [Value, string])[];
  onChange(value: Value): void;
}

export const Choice = <Value extends string>({ label, value, options, onChange }: ChoiceProps<Value>) => (
  <Labelled text={label}>
    <select class="field" value={value} onChange={(event) => onChange(event.currentTarget.value as Value)}>
      {options.map(([one, words]) => (
        <option key={one} value={one}>
          {words}
        </option>
      ))}
    </select>
  </Labelled>
);

interface LabelledProps {
  text: string;
  hint?: string;
  wrong?: string | undefined;
  children: ComponentChildren;
}

/** A field with its name, a hint, and what the API said about it. */
export const Labelled = ({ text, hint, wrong, children }: LabelledProps) => (
  <label class="labelled">
    <span>
      {text} {hint && <span class="hint">{hint}</span>}
    </span>
    {children}
    {wrong && (
      <span class="wrong" role="alert">
        {wrong}
      </span>
    )}
  </label>
);
