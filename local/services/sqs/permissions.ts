import type { Permission } from '../aws-call';

/** The action that allows an operation: batches have none of their own. */
const ACTIONS: Readonly<Record<string, string>> = {
  ChangeMessageVisibility: 'ChangeMessageVisibility',
  ChangeMessageVisibilityBatch: 'ChangeMessageVisibility',
  DeleteMessage: 'DeleteMessage',
  DeleteMessageBatch: 'DeleteMessage',
  GetQueueAttributes: 'GetQueueAttributes',
  PurgeQueue: 'PurgeQueue',
  ReceiveMessage: 'ReceiveMessage',
  SendMessage: 'SendMessage',
  SendMessageBatch: 'SendMessage',
  SetQueueAttributes: 'SetQueueAttributes',
};

/** What a call of SQS must be allowed; nothing for operations that are not known here. */
export function sqsPermissions(action: string, body: string, place: { region: string }): Permission[] {
  const allowedBy = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  const { QueueUrl } = JSON.parse(body) as { QueueUrl?: string };
  if (allowedBy === undefined || QueueUrl === undefined) return [];
  return [{ action: `sqs:${allowedBy}`, resource: queueArn(QueueUrl, place) }];
}

/** A queue's URL ends with its account and its name. */
function queueArn(url: string, { region }: { region: string }): string {
  const [accountId = '', name = ''] = url.split('/').slice(-2);
  return `arn:aws:sqs:${region}:${accountId}:${name}`;
}
