import { isObject } from '../../is-object';
import { Unmapped } from '../json';
import { faultsOf } from '../step-functions/fields';

/**
 * The fields that the import reads, or that change nothing in a run. The role is among these: the deployment
 * has its own. Any other field is refused by its name.
 */
const FIELDS = {
  '': [
    ...['Arn', 'Name', 'GroupName', 'Description', 'State', 'Target', 'FlexibleTimeWindow', 'KmsKeyArn'],
    ...['ScheduleExpression', 'ScheduleExpressionTimezone', 'StartDate', 'EndDate', 'ActionAfterCompletion'],
    ...['CreationDate', 'LastModificationDate', 'ClientToken', '$metadata'],
  ],
  FlexibleTimeWindow: ['Mode', 'MaximumWindowInMinutes'],
  Target: [
    ...['Arn', 'RoleArn', 'Input', 'DeadLetterConfig', 'RetryPolicy'],
    ...['EventBridgeParameters', 'SqsParameters', 'EcsParameters'],
    ...['KinesisParameters', 'SageMakerPipelineParameters'],
  ],
  'Target.DeadLetterConfig': ['Arn'],
  'Target.RetryPolicy': ['MaximumEventAgeInSeconds', 'MaximumRetryAttempts'],
  'Target.EventBridgeParameters': ['DetailType', 'Source'],
  'Target.SqsParameters': ['MessageGroupId'],
  'Target.KinesisParameters': ['PartitionKey'],
  'Target.SageMakerPipelineParameters': ['PipelineParameterList'],
} as const satisfies Record<string, readonly string[]>;

/** Fields that have these values alone. */
const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  State: ['ENABLED', 'DISABLED'],
  ActionAfterCompletion: ['NONE', 'DELETE'],
  'FlexibleTimeWindow.Mode': ['OFF', 'FLEXIBLE'],
};

/** Throws `Unmapped` if a schedule has a field, or a value of one, that the import does not know. */
export function checkFields(schedule: unknown): void {
  const at = (path: string) =>
    path
      .split('.')
      .filter(Boolean)
      .reduce<unknown>((part, name) => (isObject(part) ? part[name] : undefined), schedule) ?? undefined;
  for (const [path, known] of Object.entries<readonly string[]>(FIELDS)) {
    const part = at(path);
    const unknown = Object.keys(isObject(part) ? part : {}).find((name) => !known.includes(name));
    const name = [path, unknown].filter(Boolean).join('.');
    if (unknown !== undefined && at(name) !== undefined)
      throw new Unmapped(`its ${name} is no field that this import knows`);
  }
  for (const [path, values] of Object.entries(VALUES)) {
    const value = at(path);
    if (value !== undefined && !values.includes(value))
      throw new Unmapped(`its ${path} is ${JSON.stringify(value)}, and none of ${values.join(', ')}`);
  }
}

/** Arguments of a call that name it or its message, which a delivery does by itself. */
const DROPPED = ['MessageGroupId', 'MessageDeduplicationId', 'Name', 'TraceHeader', 'DurableExecutionName'];
/** Arguments that change nothing: the result of the call is not read. */
const WITHOUT_EFFECT = ['LogType'];

/** Notes for what is dropped from the arguments of a call. Throws `Unmapped` for what cannot be dropped. */
export function argumentNotes(
  kind: 'lambda:invoke' | 'sqs:sendMessage' | 'sns:publish' | 'states:startExecution',
  given: Record<string, unknown>,
): string[] {
  const rest = Object.fromEntries(
    Object.entries(given).filter(([name]) => ![...DROPPED, ...WITHOUT_EFFECT].includes(name)),
  );
  const faults = faultsOf(kind, rest);
  if (faults.length > 0) throw new Unmapped(`its call of AWS: ${faults.join('; ')}`);
  return DROPPED.filter((name) => name in given).map(
    (name) => `its ${name} ${JSON.stringify(given[name])} is not imported: a delivery has its own`,
  );
}
