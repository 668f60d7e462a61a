/** What is wrong with a text that should be JSON; undefined if nothing. An empty text is no value. */
export function jsonProblem(text: string): string | undefined {
  if (text.trim() === '') return undefined;
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return (error as SyntaxError).message;
  }
}

interface JsonFieldProps {
  label: string;
  value: string;
  onChange(value: string): void;
  rows?: number;
  hint?: string;
  disabled?: boolean;
}

/** A text of JSON, and what is wrong with it. */
export function JsonField({ label, value, onChange, rows = 10, hint, disabled }: JsonFieldProps) {
  const problem = jsonProblem(value);
  return (
    <label class="labelled">
      {label}
      {hint && <span class="hint">{hint}</span>}
      <textarea
        class="field"
        rows={rows}
        spellcheck={false}
        disabled={disabled}
        aria-invalid={problem !== undefined}
        value={value}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      {problem && <span class="wrong">{problem}</span>}
    </label>
  );
}
