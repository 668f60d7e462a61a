import {
  GetQueueAttributesCommand,
  ListMessageMoveTasksCommand,
  ListQueuesCommand,
  type SQSClient,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';

/** A dead-letter queue with messages. */
export interface DeadLetters {
  name: string;
  arn: string;
  /** Names of the queues that it is the dead-letter queue of. */
  sources: string[];
  /** Approximate number of messages, as SQS reports it. */
  messages: number;
}

interface Moved {
  name: string;
  moved: number;
  /** Status of the move task, `COMPLETED` on success; after it, the reason of a failure. */
  status: string;
}

/**
 * Every dead-letter queue of a stack: each queue that another one names in its redrive policy. `stackName` is
 * the prefix of the queues' names, as CloudFormation generates them. Sorted by name.
 */
export async function deadLettersOf(sqs: SQSClient, stackName: string): Promise<DeadLetters[]> {
  const urls: string[] = [];
  let NextToken: string | undefined;
  do {
    const page = await sqs.send(
      new ListQueuesCommand({ QueueNamePrefix: stackName, MaxResults: 1_000, NextToken }),
    );
    urls.push(...(page.QueueUrls ?? []));
    ({ NextToken } = page);
  } while (NextToken);
  const queues = await Promise.all(
    urls.map(async (QueueUrl) => {
      const AttributeNames = ['QueueArn', 'RedrivePolicy', 'ApproximateNumberOfMessages'] as const;
      const { Attributes } = await sqs.send(
        new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...AttributeNames] }),
      );
      const arn = Attributes?.QueueArn ?? '';
      const policy = JSON.parse(Attributes?.RedrivePolicy ?? '{}') as { deadLetterTargetArn?: string };
      const messages = Number(Attributes?.ApproximateNumberOfMessages ?? 0);
      return { name: arn.slice(arn.lastIndexOf(':') + 1), arn, target: policy.deadLetterTargetArn, messages };
    }),
  );
  return queues
    .map(({ name, arn, messages }) => {
      const sources = queues.filter(({ target }) => target === arn).map((source) => source.name);
      return { name, arn, sources, messages };
    })
    .filter(({ sources }) => sources.length > 0)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Moves the messages of a dead-letter queue back to their source queues with SQS's move task. Resolves when
 * the task has ended.
 *
 * Safe at any time: a message is only a hint. If its execution has ended, or its retention is over, nothing
 * runs.
 */
export async function redrive(
  sqs: SQSClient,
  { name, arn }: DeadLetters,
  options: { perSecond?: number; wait(): Promise<void> },
): Promise<Moved> {
  const MaxNumberOfMessagesPerSecond = options.perSecond;
  await sqs.send(new StartMessageMoveTaskCommand({ SourceArn: arn, MaxNumberOfMessagesPerSecond }));
  for (;;) {
    const { Results } = await sqs.send(new ListMessageMoveTasksCommand({ SourceArn: arn, MaxResults: 1 }));
    const task = Results?.[0];
    if (task && task.Status !== 'RUNNING' && task.Status !== 'CANCELLING') {
      const moved = task.ApproximateNumberOfMessagesMoved ?? 0;
      const status = [task.Status, task.FailureReason].filter((part) => part !== undefined).join(': ');
      return { name, moved, status };
    }
    await options.wait();
  }
}
