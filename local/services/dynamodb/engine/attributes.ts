import type { AttributeValue } from '@aws-sdk/client-dynamodb';

import { invalid, Unsupported } from './errors';
import type { Notation } from './notation';
import type { Item } from './paths';
import { setOwn } from './values';

/** The notation of DynamoDB's API. Sets and binary values are not supported. */
export const ATTRIBUTES: Notation = { itemIn, valueOut: attributeOf };

/** A row in the notation of the API. */
export function attributesOf(item: Item): Record<string, AttributeValue> {
  const attributes: Record<string, AttributeValue> = {};
  for (const name in item) setOwn(attributes, name, attributeOf(item[name]));
  return attributes;
}

function attributeOf(value: unknown): AttributeValue {
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'number') return { N: String(value) };
  if (typeof value === 'boolean') return { BOOL: value };
  if (value === null) return { NULL: true };
  if (Array.isArray(value)) return { L: value.map(attributeOf) };
  return { M: attributesOf(value as Item) };
}

function itemIn(spelled: Readonly<Record<string, unknown>>): Item {
  const item: Item = {};
  for (const name in spelled) setOwn(item, name, valueIn(spelled[name] as Json));
  return item;
}

/** An attribute as it comes, such as `{ S: 'alice' }`. */
type Json = Readonly<Record<string, unknown>> | null;

function valueIn(attribute: Json): unknown {
  const [type, second] = Object.keys(attribute ?? {});
  if (type === undefined || second !== undefined)
    throw invalid('Supplied AttributeValue must contain exactly one of the supported datatypes');
  const value = attribute![type];
  switch (type) {
    case 'S':
    case 'BOOL':
      return value;
    case 'N':
      return numberIn(value as string);
    case 'NULL':
      return null;
    case 'L':
      return (value as Json[]).map(valueIn);
    case 'M':
      return itemIn(value as Record<string, unknown>);
    default:
      throw new Unsupported(`an attribute of type ${type} is not supported`);
  }
}

/** A double keeps the digits of every shorter number. */
const ALWAYS_EXACT_BELOW = 16;

/** Numbers are stored as doubles. One that a double would change is refused. */
function numberIn(text: string): number {
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number))
    throw invalid(`The parameter cannot be converted to a numeric value: ${text}`);
  if (text.length >= ALWAYS_EXACT_BELOW && digitsOf(text) !== digitsOf(String(number)))
    throw new Unsupported(`the number ${text} has more digits than a double`);
  return number === 0 ? 0 : number; // there is no -0 in DynamoDB
}

/** The significant digits of a number, without its sign and scale. */
const digitsOf = (text: string): string =>
  text.replace(/e.*$/i, '').replaceAll(/[-+.]/g, '').replace(/^0+/, '').replace(/0+$/, '');
