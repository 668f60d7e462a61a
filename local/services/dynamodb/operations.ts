import type { TableSpec } from '../../template/stack';
import { awsError, awsJson, type AwsReply } from '../aws-call';
import { ATTRIBUTES, attributesOf } from './engine/attributes';
import type { Input } from './engine/database';
import { Refusal, Unsupported } from './engine/errors';
import type { Tables } from './engine/tables';

const API = 'com.amazonaws.dynamodb.v20120810#';
const VALIDATION = 'com.amazon.coral.validate#ValidationException';

/** Answers requests in the JSON of DynamoDB's API: those of the engine, and two that describe the tables. */
export function dynamoDbOperations(
  tables: Tables,
  specs: readonly TableSpec[],
): (action: string, input: Input) => AwsReply {
  return (action, input) => {
    try {
      if (action === 'ListTables') return awsJson({ TableNames: specs.map(({ name }) => name) });
      if (action === 'DescribeTable') {
        const { name } = tables.table(input.TableName as string);
        return awsJson({ Table: descriptionOf(specs.find((spec) => spec.name === name)!) });
      }
      return awsJson(tables.request(action, input, { notation: ATTRIBUTES }));
    } catch (error) {
      if (error instanceof Refusal) return refused(error);
      if (error instanceof Unsupported) return awsError(400, VALIDATION, `The local run: ${error.message}`);
      throw error;
    }
  };
}

function refused({ name, message, item }: Refusal): AwsReply {
  const type = name === 'ValidationException' ? VALIDATION : API + name;
  const reply = awsError(400, type, message);
  if (!item) return reply;
  return { ...reply, body: JSON.stringify({ __type: type, message, Item: attributesOf(item) }) };
}

function descriptionOf({ name, arn, properties }: TableSpec) {
  const { AttributeDefinitions, KeySchema, GlobalSecondaryIndexes } = properties;
  return {
    TableName: name,
    TableArn: arn,
    TableStatus: 'ACTIVE',
    AttributeDefinitions,
    KeySchema,
    BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST' },
    GlobalSecondaryIndexes: GlobalSecondaryIndexes?.map(({ IndexName, KeySchema, Projection }) => ({
      IndexName,
      KeySchema,
      Projection,
      IndexStatus: 'ACTIVE',
    })),
  };
}
