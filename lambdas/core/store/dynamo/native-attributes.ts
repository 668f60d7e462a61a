import type { AttributeValue } from '@aws-sdk/client-dynamodb';

/** A row from DynamoDB's own notation. Sets and binary values are left out: no row has any. */
export function nativeRow(item: Record<string, AttributeValue>): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(item)) {
    if (name === '__proto__') Object.defineProperty(row, name, { ...OWN, value: nativeValue(value) });
    else row[name] = nativeValue(value);
  }
  return row;
}

/** An assignment to `__proto__` would change the prototype. */
const OWN = { enumerable: true, writable: true, configurable: true };

function nativeValue(value: AttributeValue): unknown {
  if (value.S !== undefined) return value.S;
  if (value.N !== undefined) return Number(value.N);
  if (value.BOOL !== undefined) return value.BOOL;
  if (value.NULL !== undefined) return null;
  if (value.L !== undefined) return value.L.map(nativeValue);
  if (value.M !== undefined) return nativeRow(value.M);
  throw new Error(`an attribute of type ${Object.keys(value).join()} is in no row of Quarterjack`);
}
