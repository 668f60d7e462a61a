import {
  GetQueueAttributesCommand,
  ListMessageMoveTasksCommand,
  ListQueuesCommand,
  type SQSClient,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';

/** A dead-letter queue and what it holds. */
export interface DeadLetters {
  name: string;
  arn: string;
  /** Names of the queues whose messages it takes. */
  sources: string[];
  messages: number;
}

export interface Moved {
  name: string;
  moved: number;
  status: string;
}

/**
 * Every dead-letter queue of a stack: a queue that another queue of it names in its redrive policy. `stackName` is the
 * prefix of the queues' names, as CloudFormation makes them.
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
 * Sends what a dead-letter queue holds back to where it came from, by SQS's own move task, and waits for the end of
 * it. Safe at any time: a message is a hint, so one whose execution has ended, or outlived its retention, runs
 * nothing.
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
