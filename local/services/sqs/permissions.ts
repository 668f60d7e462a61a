import type { Permission } from '../aws-call';

/** The IAM action that permits each operation. Batch operations have no action of their own. */
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

/** Permissions that an SQS call needs; none for an operation that is not listed above. */
export function sqsPermissions(action: string, body: string, aws: { region: string }): Permission[] {
  const permittedBy = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  const { QueueUrl } = JSON.parse(body) as { QueueUrl?: string };
  if (permittedBy === undefined || QueueUrl === undefined) return [];
  return [{ action: `sqs:${permittedBy}`, resource: queueArn(QueueUrl, aws) }];
}

/** A queue URL ends with account and name. */
function queueArn(url: string, { region }: { region: string }): string {
  const [accountId = '', name = ''] = url.split('/').slice(-2);
  return `arn:aws:sqs:${region}:${accountId}:${name}`;
}
