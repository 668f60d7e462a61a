import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import {
  PurgeQueueCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import {
  DeleteCommand,
  DynamoDBDocumentClient,
  PutCommand,
  ScanCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';

import { chunksOf } from '../../../lambdas/core/async/chunks';
import { MESSAGE_VERSION } from '../../../lambdas/core/contracts/messages';
import { EXECUTIONS_KEY, JOBS_KEY, SCHEDULE_KEY, STOPS_KEY } from '../../../lambdas/core/contracts/tables';
import { MESSAGES_A_BATCH } from '../../../lambdas/core/queue/execution-queue';
import { aMessage } from '../../support/factories';
import type { Host } from '../../support/local/host';

type Row = Record<string, unknown>;

/** Does what only the owner of the account can do: loses messages and entries, and backdates rows. */
export class Operator {
  private readonly lambda: LambdaClient;
  private readonly sqs: SQSClient;
  private readonly dynamo: DynamoDBClient;
  private readonly documents: DynamoDBDocumentClient;

  constructor(private readonly host: Host) {
    const { awsEndpointUrl: endpoint, region, operator: credentials } = host.run;
    const settings = { endpoint, region, credentials };
    this.lambda = new LambdaClient(settings);
    this.sqs = new SQSClient(settings);
    this.dynamo = new DynamoDBClient(settings);
    this.documents = DynamoDBDocumentClient.from(this.dynamo);
  }

  /** Deletes all messages of the execution queues, including those in flight. */
  async purgeExecutions(): Promise<void> {
    const queues = Object.entries(this.host.run.queueUrls).filter(([id]) =>
      /^Executions\w+Queue\w{8}$/.test(id),
    );
    for (const [, QueueUrl] of queues) await this.sqs.send(new PurgeQueueCommand({ QueueUrl }));
  }

  /** Puts one message into each dead-letter queue: a hint of work that has ended, or a request. */
  async addDeadLetters(): Promise<void> {
    const dead = Object.entries(this.host.run.queueUrls).filter(([id]) => /DeadLetters\w{8}$/.test(id));
    for (const [id, QueueUrl] of dead) {
      const body = id.startsWith('Requests')
        ? { v: MESSAGE_VERSION, shards: [0] }
        : aMessage({ jobKey: 'gone/gone', dueAtMs: Date.now() });
      await this.sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify(body) }));
    }
  }

  /** Requests that many scans of the first shard at once. */
  async requestScans(count: number): Promise<void> {
    const [, QueueUrl] = Object.entries(this.host.run.queueUrls).find(([id]) =>
      /^RequestsScanQueue\w{8}$/.test(id),
    )!;
    const MessageBody = JSON.stringify({ v: MESSAGE_VERSION, shards: [0] });
    const batches = chunksOf([...Array(count).keys()], MESSAGES_A_BATCH).map((batch) => {
      const Entries = batch.map((index) => ({ Id: String(index), MessageBody }));
      return this.sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    });
    await Promise.all(batches);
  }

  /** Removes the entries of jobs whose ids begin with `jobs`. */
  async eraseEntries(jobs: string): Promise<void> {
    const { partition, sort } = SCHEDULE_KEY;
    const isTheirs = (one: Row) => String(one[sort]).includes(`/${jobs}`);
    const erased = (await this.rows('Schedule', isTheirs)).map(({ table, row }) => {
      const Key = { [partition]: row[partition], [sort]: row[sort] };
      return this.documents.send(new DeleteCommand({ TableName: table, Key }));
    });
    await Promise.all(erased);
  }

  /** Makes a job `ms` older. */
  async backdateJob(jobId: string, ms: number): Promise<void> {
    const { partition, sort } = JOBS_KEY;
    for (const { table, row } of await this.rows('Jobs', (one) => one[sort] === jobId))
      await this.documents.send(
        new UpdateCommand({
          TableName: table,
          Key: { [partition]: row[partition], [sort]: row[sort] },
          UpdateExpression:
            'SET createdAtMs = createdAtMs - :ms, activeSinceMs = activeSinceMs - :ms, ' +
            'scheduleChangedAtMs = scheduleChangedAtMs - :ms',
          ExpressionAttributeValues: { ':ms': ms },
        }),
      );
  }

  /**
   * Makes the ends of all maintenance `ms` older: for half an hour after one, the auditor repairs no history.
   */
  async backdateStops(ms: number): Promise<void> {
    const { partition, sort } = SCHEDULE_KEY;
    for (const { table, row } of await this.rows('Schedule', (one) => one[partition] === STOPS_KEY))
      await this.documents.send(
        new UpdateCommand({
          TableName: table,
          Key: { [partition]: row[partition], [sort]: row[sort] },
          UpdateExpression: 'SET startedAtMs = startedAtMs - :ms',
          ExpressionAttributeValues: { ':ms': ms },
        }),
      );
  }

  /** Sets the last heartbeat of a job's running executions back by `ms`. */
  async backdateHeartbeats(jobId: string, ms: number): Promise<void> {
    const { partition, sort } = EXECUTIONS_KEY;
    const isRunning = (one: Row) => String(one[partition]).endsWith(`/${jobId}`) && one.status === 'running';
    for (const { table, row } of await this.rows('Executions', isRunning))
      await this.documents.send(
        new UpdateCommand({
          TableName: table,
          Key: { [partition]: row[partition], [sort]: row[sort] },
          UpdateExpression: 'SET heartbeatAtMs = heartbeatAtMs - :ms',
          ExpressionAttributeValues: { ':ms': ms },
        }),
      );
  }

  async putJobsRow(row: Row): Promise<void> {
    await this.documents.send(new PutCommand({ TableName: await this.tableOf('Jobs'), Item: row }));
  }

  /** Invokes a scheduled function now. */
  async invoke(logicalId: string): Promise<void> {
    const [, name] = Object.entries(this.host.run.functionNames).find(([id]) => id.startsWith(logicalId))!;
    await this.lambda.send(new InvokeCommand({ FunctionName: name, Payload: Buffer.from('{}') }));
  }

  close(): void {
    for (const client of [this.lambda, this.sqs, this.dynamo]) client.destroy();
  }

  private async tableOf(name: string): Promise<string> {
    const { TableNames = [] } = await this.dynamo.send(new ListTablesCommand());
    const table = TableNames.find((one) => one.includes(`Tables${name}`));
    if (table === undefined) throw new Error(`no table ${name} among ${TableNames.join(', ')}`);
    return table;
  }

  private async rows(name: string, isMeant: (row: Row) => boolean): Promise<{ table: string; row: Row }[]> {
    const table = await this.tableOf(name);
    const { Items = [] } = await this.documents.send(new ScanCommand({ TableName: table }));
    return Items.filter(isMeant).map((row) => ({ table, row }));
  }
}
