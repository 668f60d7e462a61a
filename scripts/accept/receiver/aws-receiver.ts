import {
  type CloudFormationClient,
  CreateStackCommand,
  DeleteStackCommand,
  waitUntilStackCreateComplete,
  waitUntilStackDeleteComplete,
} from '@aws-sdk/client-cloudformation';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeleteMessageBatchCommand, ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';

import { outputsOf } from '../site/stacks';
import type { EndEvent } from '../site/site';
import type { Arrival, Receiver } from './receiver';
import { receiverTemplate } from './template';

const MAX_WAIT_SEC = 600;

interface Clients {
  cloudFormation: CloudFormationClient;
  dynamo: DynamoDBClient;
  sqs: SQSClient;
}

/** The receiver's stack, and what it gives. */
export interface ReceiverStack {
  receiver: Receiver;
  scratchQueue: string;
  /** Events since the last call, which are deleted from their queue. */
  newEvents(): Promise<EndEvent[]>;
  remove(): Promise<void>;
}

/** Creates the stack and waits for it: about a minute. A stack of that name from before is an error. */
export async function createReceiverStack(
  { cloudFormation, dynamo, sqs }: Clients,
  { name, eventBus }: { name: string; eventBus: string },
): Promise<ReceiverStack> {
  await cloudFormation.send(
    new CreateStackCommand({
      StackName: name,
      TemplateBody: JSON.stringify(receiverTemplate(eventBus)),
      Capabilities: ['CAPABILITY_IAM'],
      OnFailure: 'DELETE',
    }),
  );
  const wait = { client: cloudFormation, maxWaitTime: MAX_WAIT_SEC };
  await waitUntilStackCreateComplete(wait, { StackName: name });
  const outputs = await outputsOf(cloudFormation, name);
  const documents = DynamoDBDocumentClient.from(dynamo);
  return {
    receiver: {
      url: outputs.ReceiverUrl!.replace(/\/$/, ''),
      arrivals: (prefix) => scanned(documents, outputs.Arrivals!, prefix),
    },
    scratchQueue: outputs.ScratchQueue!,
    newEvents: () => drained(sqs, outputs.EventQueue!),
    async remove() {
      await cloudFormation.send(new DeleteStackCommand({ StackName: name }));
      await waitUntilStackDeleteComplete(wait, { StackName: name });
    },
  };
}

async function scanned(
  client: DynamoDBDocumentClient,
  TableName: string,
  prefix: string,
): Promise<Arrival[]> {
  const all: Arrival[] = [];
  const query = {
    TableName,
    ConsistentRead: true,
    FilterExpression: 'begins_with(jobId, :prefix)',
    ExpressionAttributeValues: { ':prefix': prefix },
  };
  for await (const { Items = [] } of paginateScan({ client }, query)) all.push(...(Items as Arrival[]));
  return all.sort((a, b) => a.atMs - b.atMs);
}

async function drained(sqs: SQSClient, QueueUrl: string): Promise<EndEvent[]> {
  const events: EndEvent[] = [];
  for (;;) {
    const receive = new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 1 });
    const { Messages = [] } = await sqs.send(receive);
    if (Messages.length === 0) return events;
    for (const { Body = '{}' } of Messages) {
      const event = JSON.parse(Body) as { 'detail-type': string; detail: { jobId: string } };
      events.push({ type: event['detail-type'], jobId: event.detail.jobId });
    }
    const Entries = Messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
    await sqs.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
  }
}
