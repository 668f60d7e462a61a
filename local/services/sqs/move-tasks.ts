import { setTimeout as sleep } from 'node:timers/promises';

import { type Clock, SECOND_MS } from '../../machine/clock';
import { type AwsReply, awsError, awsJson } from '../aws-call';
import type { LocalQueue } from './local-queue';

/** SQS's maximum rate. A task without a requested rate moves as fast as it can. */
const MAX_PER_SECOND = 500;
const MAX_LISTED = 10;

interface MoveTask {
  handle: string;
  sourceArn: string;
  destinationArn: string | undefined;
  perSecond: number | undefined;
  status: 'RUNNING' | 'CANCELLING' | 'CANCELLED' | 'COMPLETED' | 'FAILED';
  moved: number;
  toMove: number;
  startedMs: number;
  failure?: string;
}

type Body = Record<string, unknown>;
const isAction = (action: string): action is keyof typeof ACTIONS => action in ACTIONS;

/**
 * The redrive of dead-letter queues, which fauxqs lacks: `StartMessageMoveTask`, `ListMessageMoveTasks` and
 * `CancelMessageMoveTask`. Messages return, as new ones, to their source queues or go to a single
 * destination.
 */
export class MoveTasks {
  private readonly tasks: MoveTask[] = [];
  private stopped = false;

  constructor(
    private readonly queues: ReadonlyMap<string, LocalQueue>,
    private readonly clock: Clock,
  ) {}

  /** Undefined if the action is none of the three. */
  call(action: string, body: Body): AwsReply | undefined {
    return isAction(action) ? ACTIONS[action](this, body) : undefined;
  }

  stop(): void {
    this.stopped = true;
  }

  start(body: Body): AwsReply {
    const sourceArn = String(body.SourceArn);
    const destinationArn = body.DestinationArn as string | undefined;
    const perSecond = body.MaxNumberOfMessagesPerSecond as number | undefined;
    const source = this.queues.get(sourceArn);
    if (!source || (destinationArn !== undefined && !this.queues.has(destinationArn)))
      return awsError(404, 'ResourceNotFoundException', "The resource that you specified doesn't exist.");
    if (!this.isDeadLetterQueue(sourceArn))
      return invalid('Source queue must be configured as a Dead Letter Queue.');
    if (perSecond !== undefined && !(perSecond >= 1 && perSecond <= MAX_PER_SECOND))
      return invalid(`Value ${perSecond} for parameter MaxNumberOfMessagesPerSecond is invalid.`);
    if (this.tasks.some((task) => task.sourceArn === sourceArn && task.status === 'RUNNING'))
      return awsError(
        400,
        'AWS.SimpleQueueService.UnsupportedOperation',
        'There is already a task running. Only one active task is allowed for a source queue arn at a given time.',
      );
    const task: MoveTask = {
      handle: Buffer.from(JSON.stringify({ taskId: crypto.randomUUID(), sourceArn })).toString('base64'),
      sourceArn,
      destinationArn,
      perSecond,
      status: 'RUNNING',
      moved: 0,
      toMove: source.readyCount,
      startedMs: this.clock.nowMs(),
    };
    this.tasks.unshift(task);
    void this.move(task, source);
    return awsJson({ TaskHandle: task.handle });
  }

  list(body: Body): AwsReply {
    const found = this.tasks.filter(({ sourceArn }) => sourceArn === body.SourceArn);
    const limit = Math.min(MAX_LISTED, Number(body.MaxResults ?? 1));
    return awsJson({
      Results: found.slice(0, limit).map((task) => ({
        TaskHandle: task.status === 'RUNNING' ? task.handle : undefined,
        Status: task.status,
        SourceArn: task.sourceArn,
        DestinationArn: task.destinationArn,
        MaxNumberOfMessagesPerSecond: task.perSecond,
        ApproximateNumberOfMessagesMoved: task.moved,
        ApproximateNumberOfMessagesToMove: task.toMove,
        FailureReason: task.failure,
        StartedTimestamp: task.startedMs,
      })),
    });
  }

  cancel(body: Body): AwsReply {
    const task = this.tasks.find(({ handle }) => handle === body.TaskHandle);
    if (task?.status !== 'RUNNING')
      return awsError(404, 'ResourceNotFoundException', 'No running task has this handle.');
    task.status = 'CANCELLING';
    return awsJson({ ApproximateNumberOfMessagesMoved: task.moved });
  }

  private async move(task: MoveTask, source: LocalQueue): Promise<void> {
    while (task.status === 'RUNNING' && task.moved < task.toMove && !this.stopped) {
      const received = source.receive(Math.min(task.perSecond ?? MAX_PER_SECOND, task.toMove - task.moved));
      if (received.length === 0) break;
      for (const { message, receiptHandle } of received) {
        const { deadLetterQueueSourceArn: origin, ...rest } = message;
        const destination = this.queues.get(task.destinationArn ?? origin ?? '');
        if (!destination) {
          source.changeVisibility(receiptHandle, 0);
          task.status = 'FAILED';
          task.failure = 'CouldNotDetermineMessageSource';
          return;
        }
        destination.send({
          ...rest,
          messageId: crypto.randomUUID(),
          sentTimestamp: this.clock.nowMs(),
          approximateReceiveCount: 0,
          approximateFirstReceiveTimestamp: undefined,
        });
        source.delete(receiptHandle);
        task.moved += 1;
      }
      if (task.perSecond !== undefined) await sleep(SECOND_MS);
    }
    task.status = task.status === 'CANCELLING' ? 'CANCELLED' : 'COMPLETED';
  }

  private isDeadLetterQueue(arn: string): boolean {
    return [...this.queues.values()].some(({ attributes }) => attributes.RedrivePolicy?.includes(`"${arn}"`));
  }
}

const ACTIONS = {
  StartMessageMoveTask: (tasks: MoveTasks, body: Body) => tasks.start(body),
  ListMessageMoveTasks: (tasks: MoveTasks, body: Body) => tasks.list(body),
  CancelMessageMoveTask: (tasks: MoveTasks, body: Body) => tasks.cancel(body),
};

const invalid = (message: string): AwsReply => awsError(400, 'InvalidParameterValue', message);
