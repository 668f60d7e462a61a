import {
  ConflictException,
  DescribeTasksCommand,
  DesiredStatus,
  ECSClient,
  ListTasksCommand,
  RunTaskCommand,
  StopTaskCommand,
  type Task,
} from '@aws-sdk/client-ecs';

import type { ErrandEventMessage } from '../../contracts/messages';
import type { EcsTarget } from '../../domain/target';
import { type CallContext, clientIn } from '../call/aws-client';
import {
  failedProbe,
  failedStart,
  isOfRevision,
  probedOf,
  refusedInput,
  startedAs,
  withoutRoom,
} from './answers';
import { endOfTask } from './ecs-end';
import { taskOf } from './ecs-task';
import type { KnownErrand, ErrandEvent, ErrandKind, Probed, Started } from './errand-kind';

/** Refusals that another attempt may not meet, although ECS says that the request is at fault. */
const NO_ROOM = /capacity is unavailable|reached the limit/i;
const MAX_REASON = 255;

/**
 * Tasks of ECS, in the clusters that targets name. The name of an errand is the token of its start, and what
 * its task was started by.
 */
export const ecs: ErrandKind = {
  async start({ target, ...start }, { signal, ecsClusters = {}, ...context }): Promise<Started> {
    const made = taskOf(target as EcsTarget, start, ecsClusters);
    if ('fault' in made) return refusedInput(made.fault);
    const { name } = start;
    try {
      const answer = await clientIn(ECSClient, context).send(
        new RunTaskCommand({ ...made.task, count: 1, clientToken: name, startedBy: name }),
        { abortSignal: signal },
      );
      const id = answer.tasks?.[0]?.taskArn;
      if (id !== undefined) return { how: 'started', id };
      const reasons = (answer.failures ?? []).map(({ reason, detail }) =>
        [reason, detail].filter(Boolean).join(': '),
      );
      const error = `not started: ${reasons.join('; ') || 'ECS gives no reason'}`;
      return { how: 'refused', result: { outcome: 'retriable', error } };
    } catch (error) {
      return startOfError(error, signal);
    }
  },

  async probe(errand, { signal, ...context }): Promise<Probed> {
    try {
      const task = await find(errand, context, signal);
      return task ? seenOf(task, task.taskArn!) : { state: 'none' };
    } catch (error) {
      return failedProbe(error);
    }
  },

  probeMany: (errands, { signal, ...context }) =>
    probedOf(errands, (ids) => tasksOf(errands[0]!.runsIn, ids, context, signal), {
      idOf: ({ taskArn }) => taskArn,
      seen: seenOf,
    }),

  async stop(errand, why, { signal, ...context }): Promise<void> {
    const task = errand.id ?? (await find(errand, context, signal))?.taskArn;
    if (task === undefined) return;
    await clientIn(ECSClient, context).send(
      new StopTaskCommand({ cluster: errand.runsIn, task, reason: why.slice(0, MAX_REASON) }),
      { abortSignal: signal },
    );
  },

  ofEvent({ detail }: ErrandEventMessage): ErrandEvent | undefined {
    const { startedBy: name, taskDefinitionArn: resource, taskArn: id } = detail;
    const end = endOfTask(detail);
    return typeof name === 'string' && typeof resource === 'string' && typeof id === 'string' && end
      ? { name, resource, id, end }
      : undefined;
  },

  isSame: isOfRevision,
};

/** A name that has started a task with other parameters has started a task. */
function startOfError(error: unknown, signal: AbortSignal): Started {
  if (error instanceof ConflictException) return startedAs(error.resourceIds?.[0]);
  const failed = failedStart(error, signal);
  const hasNoRoom = error instanceof Error && NO_ROOM.test(error.message);
  return hasNoRoom ? withoutRoom(failed) : failed;
}

function seenOf(task: Task, id: string): Probed {
  const end = endOfTask(task);
  return end ? { state: 'ended', end } : { state: 'running', id };
}

async function tasksOf(
  cluster: string | undefined,
  tasks: string[],
  context: CallContext,
  abortSignal: AbortSignal,
): Promise<Task[]> {
  const describe = new DescribeTasksCommand({ cluster, tasks });
  return (await clientIn(ECSClient, context).send(describe, { abortSignal })).tasks ?? [];
}

/** Undefined: the cluster shows no such task. It shows one that has stopped for about an hour. */
async function find(
  { name, runsIn: cluster, id }: KnownErrand,
  context: CallContext,
  abortSignal: AbortSignal,
): Promise<Task | undefined> {
  const describe = async (taskArn: string): Promise<Task | undefined> =>
    (await tasksOf(cluster, [taskArn], context, abortSignal))[0];
  if (id !== undefined) return describe(id);
  for (const desiredStatus of [DesiredStatus.RUNNING, DesiredStatus.STOPPED]) {
    const list = new ListTasksCommand({ cluster, startedBy: name, desiredStatus });
    const { taskArns } = await clientIn(ECSClient, context).send(list, { abortSignal });
    const task = taskArns?.[0] === undefined ? undefined : await describe(taskArns[0]);
    if (task) return task;
  }
  return undefined;
}
