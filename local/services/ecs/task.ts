import type { Delivery, EndEvent } from '../step-functions/execution';

/** How a task may end: a container exits, its host is taken away, or it never starts. */
export type TaskEnd = `exit-${number}` | 'spot' | 'no-start' | 'no-room';

export interface RunTaskRequest {
  cluster: string;
  taskDefinition: string;
  clientToken: string;
  startedBy: string;
  overrides?: { containerOverrides?: { name: string; environment?: { name: string; value: string }[] }[] };
}

/** A task of ECS: nothing runs, it waits and then ends as its script says. */
export interface EcsTask {
  arn: string;
  request: RunTaskRequest;
  startedMs: number;
  /** When and how it ends, unless a call or a button ends it before. */
  endsMs: number;
  ends: TaskEnd;
  /** `REFUSED`: there was no room, and there is no task. The token means that answer. */
  status: 'RUNNING' | 'STOPPED' | 'REFUSED';
  stoppedMs?: number;
  stopCode?: string;
  stoppedReason?: string;
  exitCode?: number;
  delivery: Delivery;
}

/** How ECS words an end. */
export function stopOf(ends: TaskEnd): Pick<EcsTask, 'stopCode' | 'stoppedReason' | 'exitCode'> {
  if (ends === 'spot')
    return { stopCode: 'SpotInterruption', stoppedReason: 'Your Spot Task was interrupted.' };
  if (ends === 'no-start')
    return {
      stopCode: 'TaskFailedToStart',
      stoppedReason: 'ResourceInitializationError: ended as its script says',
    };
  return {
    stopCode: 'EssentialContainerExited',
    stoppedReason: 'Essential container in task exited',
    exitCode: Number(ends.split('-')[1]),
  };
}

const seconds = (ms: number): number => ms / 1_000;

/** The latest revision of a family is its first one here. */
const revisionOf = (taskDefinition: string): string =>
  /:\d+$/.test(taskDefinition) ? taskDefinition : `${taskDefinition}:1`;

const shown = ({ arn, request, status, exitCode, ...task }: EcsTask) => ({
  taskArn: arn,
  clusterArn: request.cluster,
  taskDefinitionArn: revisionOf(request.taskDefinition),
  startedBy: request.startedBy,
  lastStatus: status,
  desiredStatus: status,
  stopCode: task.stopCode,
  stoppedReason: task.stoppedReason,
  overrides: request.overrides ?? { containerOverrides: [] },
  containers: (request.overrides?.containerOverrides ?? [{ name: 'main' }]).map(({ name }) => ({
    name,
    taskArn: arn,
    lastStatus: status,
    ...(exitCode !== undefined && { exitCode }),
  })),
  launchType: 'FARGATE',
});

/** As `DescribeTasks` answers. */
export const described = (task: EcsTask): object => ({
  ...shown(task),
  createdAt: seconds(task.startedMs),
  ...(task.stoppedMs !== undefined && { stoppedAt: seconds(task.stoppedMs) }),
});

/** The event of an end, in the format of EventBridge. */
export function stopEventOf(task: EcsTask, id: string): EndEvent {
  const [, , , region = '', account = ''] = task.arn.split(':');
  const time = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms).toISOString());
  return {
    version: '0',
    id,
    'detail-type': 'ECS Task State Change',
    source: 'aws.ecs',
    account,
    time: time(task.stoppedMs ?? task.endsMs)!,
    region,
    resources: [task.arn],
    detail: {
      ...shown(task),
      group: `family:${familyOf(task.request.taskDefinition)}`,
      createdAt: time(task.startedMs),
      stoppedAt: time(task.stoppedMs),
    },
  };
}

/** The family of a task definition, by its ARN. */
export const familyOf = (taskDefinition: string): string =>
  taskDefinition.split('/').at(-1)!.replace(/:\d+$/, '');
