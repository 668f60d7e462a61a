import type { AttributeValue } from '@aws-sdk/client-dynamodb';

/**
 * A row from DynamoDB's own notation. The document client translates answers but not errors, and DynamoDB
 * returns the row that failed a condition in the error. Sets and binary values are left out: no row has any.
 */
export const nativeRow = (item: Record<string, AttributeValue>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(item).map(([name, value]) => [name, nativeValue(value)]));

function nativeValue(value: AttributeValue): unknown {
  if (value.S !== undefined) return value.S;
  if (value.N !== undefined) return Number(value.N);
  if (value.BOOL !== undefined) return value.BOOL;
  if (value.NULL !== undefined) return null;
  if (value.L !== undefined) return value.L.map(nativeValue);
  if (value.M !== undefined) return nativeRow(value.M);
  throw new Error(`an attribute of type ${Object.keys(value).join()} is in no row of Quarterjack`);
}
