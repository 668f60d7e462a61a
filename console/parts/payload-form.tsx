import { JsonField } from './json-field';
import { objectIn, payloadFieldsOf, shownIn, withField } from './payload-fields';

interface PayloadFormProps {
  label: string;
  schema: Readonly<Record<string, unknown>> | undefined;
  value: string;
  onChange(value: string): void;
  rows: number;
  hint?: string;
}

/**
 * A payload: fields for what the schema of its job says, and the whole as JSON. Both change one text. The
 * schema is of the project's editors, so its words are text alone, and its patterns are not run.
 */
export function PayloadForm({ label, schema, value, onChange, rows, hint }: PayloadFormProps) {
  const whole = objectIn(value);
  const fields = whole ? payloadFieldsOf(schema) : [];
  return (
    <>
      {fields.map((field) => {
        const shown = shownIn(field, whole!);
        const change = (typed: string) => onChange(withField(value, field, typed));
        return (
          <label class="labelled" key={field.name}>
            {field.title}
            {field.isRequired && ' (required)'}
            {field.hint && <span class="hint">{field.hint}</span>}
            {field.kind === 'choice' ? (
              <select class="field" value={shown} onChange={(event) => change(event.currentTarget.value)}>
                <option value="">–</option>
                {field.values.map((one) => (
                  <option key={JSON.stringify(one)} value={JSON.stringify(one)}>
                    {String(one)}
                  </option>
                ))}
              </select>
            ) : (
              <input
                class="field"
                value={shown}
                inputMode={field.kind === 'number' ? 'decimal' : 'text'}
                onInput={(event) => change(event.currentTarget.value)}
              />
            )}
          </label>
        );
      })}
      <JsonField label={label} hint={hint} value={value} onChange={onChange} rows={rows} />
    </>
  );
}
