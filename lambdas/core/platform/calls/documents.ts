import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';

import type { DocumentClient } from '../../store/dynamo/access';
import { rowText } from '../../store/dynamo/attribute-text';
import { nativeRow } from '../../store/dynamo/native-attributes';
import { serviceCalls } from './service-calls';

type Native = Parameters<typeof nativeRow>[0];
type Json = Record<string, unknown>;

const DYNAMODB = { signingName: 'dynamodb', target: 'DynamoDB_20120810' };

/** A client for the stores, with plain values in and out. Undefined attributes are left out. */
export function documentsOf(client: DynamoDBClient): DocumentClient {
  const call = serviceCalls(client, DYNAMODB);
  return {
    send: async (command, options) => {
      const output = await call(command.operation, inputText(command.input), options);
      return plain(output) as NonNullable<typeof command.output>;
    },
  };
}

/** The input of an operation. Its rows become DynamoDB's own notation, and all else stays as it is. */
function inputText(input: object): string {
  let text = '';
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined) continue;
    const write = WRITERS[name] ?? JSON.stringify;
    text += `${text === '' ? '' : ','}"${name}":${write(value as Json)}`;
  }
  return `{${text}}`;
}

const WRITERS: Readonly<Record<string, (value: Json) => string>> = {
  Key: rowText,
  Item: rowText,
  ExclusiveStartKey: rowText,
  ExpressionAttributeValues: rowText,
  PutRequest: inputText,
  DeleteRequest: inputText,
  Keys: (keys) => listText(keys, rowText),
  RequestItems: (tables) => {
    const texts = Object.entries(tables).map(
      ([table, requests]) =>
        `${JSON.stringify(table)}:${Array.isArray(requests) ? listText(requests, inputText) : inputText(requests as Json)}`,
    );
    return `{${texts.join()}}`;
  },
};

const listText = (list: unknown, write: (value: Json) => string): string =>
  `[${(list as Json[]).map(write).join()}]`;

/** The output of an operation, in place. */
function plain(output: Json): Json {
  for (const name of Object.keys(output)) {
    const read = READERS[name];
    if (read) output[name] = read(output[name]);
  }
  return output;
}

const rowOf = (value: unknown) => nativeRow(value as Native);
const rowsOf = (values: unknown) => (values as unknown[]).map(rowOf);
const byTable = (read: (value: unknown) => unknown) => (tables: unknown) =>
  Object.fromEntries(Object.entries(tables as Json).map(([table, value]) => [table, read(value)]));

const READERS: Readonly<Record<string, (value: unknown) => unknown>> = {
  Item: rowOf,
  Attributes: rowOf,
  LastEvaluatedKey: rowOf,
  Key: rowOf,
  Keys: rowsOf,
  Items: rowsOf,
  Responses: byTable(rowsOf),
  PutRequest: (value) => plain(value as Json),
  DeleteRequest: (value) => plain(value as Json),
  UnprocessedKeys: byTable((value) => plain(value as Json)),
  UnprocessedItems: byTable((values) => (values as Json[]).map(plain)),
};
