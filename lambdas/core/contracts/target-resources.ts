/** How AWS names the resource of a target, and what the executor's role needs to deliver to it. */
export interface TargetResource {
  /** Service in the resource's ARN. */
  readonly service: string;
  /** What the resource part of the ARN begins with, before the name. */
  readonly prefix: string;
  /** The one IAM action that a delivery needs. */
  readonly action: string;
}

/**
 * The AWS target types. `lib/` makes the executor's permissions and the check of `allowedTargetArns` from
 * them; `delivery/targets/` reads ARNs by them.
 */
export const TARGET_RESOURCES = {
  lambda: { service: 'lambda', prefix: 'function:', action: 'lambda:InvokeFunction' },
  sqs: { service: 'sqs', prefix: '', action: 'sqs:SendMessage' },
  sns: { service: 'sns', prefix: '', action: 'sns:Publish' },
  eventbridge: { service: 'events', prefix: 'event-bus/', action: 'events:PutEvents' },
  stepfunctions: { service: 'states', prefix: 'stateMachine:', action: 'states:StartExecution' },
} as const satisfies Readonly<Record<string, TargetResource>>;
