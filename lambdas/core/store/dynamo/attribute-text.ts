/**
 * Plain values as the JSON text of DynamoDB's own notation, in one pass. A property that is `undefined` is
 * left out.
 *
 * @throws Error for what a row cannot hold: a number that is not finite or not safe, a function, a symbol, a
 * bigint, or an object that is not plain
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
  switch (typeof value) {
    case 'string':
      return `{"S":${JSON.stringify(value)}}`;
    case 'number':
      return `{"N":"${checkedNumber(value)}"}`;
    case 'boolean':
      return `{"BOOL":${value}}`;
    case 'object':
      if (value === null) return '{"NULL":true}';
      if (Array.isArray(value)) return `{"L":[${value.filter(isGiven).map(attributeText).join()}]}`;
      if (isPlain(value)) return `{"M":${rowText(value)}}`;
  }
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
