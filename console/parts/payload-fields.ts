type Schema = Readonly<Record<string, unknown>>;

/** A field of a payload that a form can show; all others are in the text of JSON below it. */
export interface PayloadField {
  name: string;
  title: string;
  hint: string | undefined;
  isRequired: boolean;
  kind: 'text' | 'number' | 'choice';
  /** The values of a choice. */
  values: readonly unknown[];
}

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isPlain = (value: unknown): boolean => typeof value !== 'object' || value === null;

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** The fields of texts, numbers, yes or no, and choices. */
export function payloadFieldsOf(schema: Schema | undefined): PayloadField[] {
  const { properties, required } = schema ?? {};
  if (!isObject(properties)) return [];
  const needed = Array.isArray(required) ? (required as unknown[]) : [];
  return Object.entries(properties).flatMap(([name, field]): PayloadField[] => {
    if (!isObject(field)) return [];
    const values = field.type === 'boolean' ? [true, false] : field.enum;
    const isChoice = Array.isArray(values) && values.every(isPlain);
    const isNumber = field.type === 'number' || field.type === 'integer';
    if (!isChoice && !isNumber && field.type !== 'string') return [];
    return [
      {
        name,
        title: textOf(field.title) ?? name,
        hint: textOf(field.description),
        isRequired: needed.includes(name),
        kind: isChoice ? 'choice' : isNumber ? 'number' : 'text',
        values: isChoice ? (values as unknown[]) : [],
      },
    ];
  });
}

/** The object that a text of JSON is. Undefined: it is none, so no field of it can be shown. */
export function objectIn(text: string): Schema | undefined {
  try {
    const value: unknown = text.trim() === '' ? {} : JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** What a field shows of its value. */
export const shownIn = ({ name, kind }: PayloadField, value: Schema): string => {
  const own = Object.hasOwn(value, name) ? value[name] : undefined;
  if (own === undefined) return '';
  return kind === 'choice' || typeof own !== 'string' ? JSON.stringify(own) : own;
};

/** The text with another value of a field. An empty one takes the field away. */
export function withField(text: string, { name, kind }: PayloadField, typed: string): string {
  const { [name]: _, ...others } = objectIn(text) ?? {};
  const number = Number(typed);
  const value: unknown =
    kind === 'choice'
      ? typed && (JSON.parse(typed) as unknown)
      : kind === 'number' && Number.isFinite(number)
        ? number
        : typed;
  const fields = typed === '' ? Object.entries(others) : [...Object.entries(others), [name, value] as const];
  return fields.length === 0 ? '' : JSON.stringify(Object.fromEntries(fields), null, 2);
}
