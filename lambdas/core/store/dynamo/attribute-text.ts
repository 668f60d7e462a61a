/**
 * Plain values as the JSON text of DynamoDB's own notation, in one pass. A property that is `undefined` is
 * left out.
 *
 * @throws Error for what a row cannot hold: a number that is not finite or not safe, or an object that is not
 * plain; a function, a symbol or a bigint
 */
export function rowText(row: object): string {
  let text = '';
  for (const [name, value] of Object.entries(row)) {
    if (value === undefined) continue;
    text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${attributeText(value)}`;
  }
  return `{${text}}`;
}

function attributeText(value: unknown): string {
  if (typeof value === 'string') return `{"S":${JSON.stringify(value)}}`;
  if (typeof value === 'number') return `{"N":"${checkedNumber(value)}"}`;
  if (typeof value === 'boolean') return `{"BOOL":${value}}`;
  if (value === null) return '{"NULL":true}';
  if (Array.isArray(value)) return `{"L":[${value.filter(isGiven).map(attributeText).join()}]}`;
  if (typeof value === 'object' && isPlain(value)) return `{"M":${rowText(value)}}`;
  throw new Error(
    `a row cannot hold a value of type ${typeof value}: ${Object.prototype.toString.call(value)}`,
  );
}

const isGiven = (value: unknown): boolean => value !== undefined;

/** Rejects what DynamoDB could store only as another number. */
function checkedNumber(value: number): number {
  if (Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER) return value;
  throw new Error(`a row cannot hold the number ${value}`);
}

/** By the prototype: a user's own key may be `constructor`. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
