// Targets that a stack adds: what the methods `add…Target` take, and what they return.

/** Options of targets that the stack adds. */
export interface AddTargetOptions {
  /** The only project whose jobs may call it. @default all projects */
  readonly project?: string;
}

/** Options of state machines that the stack adds. */
export interface AddStateMachineOptions extends AddTargetOptions {
  /**
   * An attempt ends when the execution of the state machine ends, as that ends. The machine is STANDARD.
   * @default false: an attempt has succeeded once the execution has started
   */
  readonly wait?: boolean;
}

/** The fields that receivers of an event bus filter by. */
export interface BusEventProps {
  /** `source` of the events: not `quarterjack`, nor beginning with `quarterjack.` or `aws.`. */
  readonly source: string;
  /** `detail-type` of the events. */
  readonly detailType: string;
}

/** A function as the target of a job. */
export interface LambdaTarget {
  /** The type of the target. */
  readonly type: 'lambda';
  /** ARN of the function. */
  readonly functionArn: string;
}

/** A queue as the target of a job. */
export interface QueueTarget {
  /** The type of the target. */
  readonly type: 'sqs';
  /** URL of the queue. */
  readonly queueUrl: string;
}

/** A topic as the target of a job. */
export interface TopicTarget {
  /** The type of the target. */
  readonly type: 'sns';
  /** ARN of the topic. */
  readonly topicArn: string;
}

/** An event bus as the target of a job. */
export interface BusTarget extends BusEventProps {
  /** The type of the target. */
  readonly type: 'eventbridge';
  /** ARN of the bus. */
  readonly eventBusName: string;
}

/** A state machine as the target of a job. */
export interface StateMachineTarget {
  /** The type of the target. */
  readonly type: 'stepfunctions';
  /** ARN of the state machine. */
  readonly stateMachineArn: string;
  /**
   * The attempt ends when the execution of the state machine ends.
   * @default absent: it ends once the execution has started
   */
  readonly wait?: true;
}
