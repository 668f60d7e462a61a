import { Agent, request } from 'node:http';

import {
  BatchExecuteStatementCommand,
  DynamoDBClient,
  type DynamoDBClientConfig,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, UpdateCommand as SdkUpdateCommand } from '@aws-sdk/lib-dynamodb';

import { documentsOf } from '../../lambdas/core/platform/calls/documents';
import { serviceCalls } from '../../lambdas/core/platform/calls/service-calls';
import { requestSigner } from '../../lambdas/core/platform/calls/signature';
import { handlerWith } from '../../lambdas/core/platform/client-settings';
import { rowText } from '../../lambdas/core/store/dynamo/attribute-text';
import { UpdateCommand } from '../../lambdas/core/store/dynamo/commands';
import { attributesOf } from '../../local/services/dynamodb/engine/attributes';

export interface Variant {
  name: string;
  /** Writes of one call. */
  writes: number;
  once: () => Promise<unknown>;
}

const TIMEOUT_MS = 3_000;
const BATCH = 25;
/** As long as the one that Lambda gives to a role. */
const SESSION_TOKEN = 't'.repeat(700);
const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret', sessionToken: SESSION_TOKEN };

const names = [
  'status',
  'attempt',
  'claimId',
  'claimedAtMs',
  'heartbeatAtMs',
  'trigger',
  'startAtMs',
  'execId',
];
/** The size and shape of a claim. */
const claim = {
  TableName: 'Quarterjack-prod-Executions',
  Key: { jobKey: 'user-1/nightly-report', execId: '20261122T210000Z' },
  ConditionExpression: 'attribute_not_exists(#execId) OR (#status = :waits AND #attempt = :attempt)',
  UpdateExpression:
    'SET #status = :status, #attempt = :attempt, #claimId = :claimId, #claimedAtMs = :nowMs, ' +
    '#heartbeatAtMs = :nowMs, #trigger = if_not_exists(#trigger, :trigger) REMOVE #startAtMs',
  ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
  ExpressionAttributeValues: {
    ':waits': 'retrying',
    ':status': 'running',
    ':attempt': 1,
    ':claimId': 'abcdefghijklmnop',
    ':nowMs': 1_795_000_000_000,
    ':trigger': 'schedule',
  },
  ReturnValues: 'ALL_NEW',
} as const;

const nativeClaim = () => ({
  ...claim,
  Key: attributesOf(claim.Key),
  ExpressionAttributeValues: attributesOf(claim.ExpressionAttributeValues),
});

/** What a finish would be: PartiQL has no `if_not_exists`, which each claim needs. */
const statement = {
  Statement:
    'UPDATE "Quarterjack-prod-Executions" SET status = ? SET finishedAtMs = ? ' +
    'WHERE jobKey = ? AND execId = ? AND status = ? AND claimId = ? AND fence = ?',
  Parameters: [
    'succeeded',
    1_795_000_000_000,
    'user-1/nightly-report',
    '20261122T210000Z',
    'running',
    'abc',
    1,
  ],
};

/** Calls of a server at `endpoint`, by the SDK and by the project, and the parts of the latter. */
export function variantsAt(endpoint: string): Variant[] {
  const config: DynamoDBClientConfig = {
    endpoint,
    region: 'eu-central-1',
    credentials,
    requestHandler: handlerWith(TIMEOUT_MS),
  };
  const client = new DynamoDBClient(config);
  const sdkDocuments = DynamoDBDocumentClient.from(new DynamoDBClient(config));
  const documents = documentsOf(client);
  const call = serviceCalls(client, { signingName: 'dynamodb', target: 'DynamoDB_20120810' });
  const sign = requestSigner('eu-central-1', 'dynamodb');
  const headers = {
    host: 'dynamodb.eu-central-1.amazonaws.com',
    'x-amz-target': 'DynamoDB_20120810.UpdateItem',
  };
  const single = (name: string, once: () => Promise<unknown>): Variant => ({ name, writes: 1, once });
  return [
    single('document client of the SDK', () => sdkDocuments.send(new SdkUpdateCommand(claim))),
    single('client of the SDK', () => client.send(new UpdateItemCommand(nativeClaim()))),
    single('the stores’ client', () => documents.send(new UpdateCommand(claim))),
    single('– its request text', async () => textOf(claim)),
    single('– its text and signature', async () =>
      sign({ path: '/', headers, body: textOf(claim) }, credentials, Date.now()),
    ),
    single('an unsigned request of node:http', () => bare(endpoint)),
    {
      name: `BatchExecuteStatement of ${BATCH}, on the stores’ path`,
      writes: BATCH,
      once: () => call('BatchExecuteStatement', batchText()),
    },
    {
      name: `BatchExecuteStatement of ${BATCH}, by the SDK`,
      writes: BATCH,
      once: () =>
        client.send(new BatchExecuteStatementCommand({ Statements: times(BATCH, nativeStatement) })),
    },
  ];
}

const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

const textOf = ({ Key, ExpressionAttributeValues, ...rest }: typeof claim): string =>
  `${JSON.stringify(rest)}${rowText(Key)}${rowText(ExpressionAttributeValues)}`;

const nativeStatement = () => ({
  Statement: statement.Statement,
  Parameters: Object.values(attributesOf(Object.fromEntries(statement.Parameters.entries()))),
});

const batchText = () => JSON.stringify({ Statements: times(BATCH, nativeStatement) });

const agent = new Agent({ keepAlive: true });

const bare = (url: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', agent }, (response) => {
      response.resume();
      response.on('end', resolve);
    });
    sent.on('error', reject);
    sent.end('{}');
  });
