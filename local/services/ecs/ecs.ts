import * as z from 'zod';

import { denialMessage } from '../../iam/access';
import {
  type AwsReply,
  type AwsService,
  awsError,
  awsJson,
  jsonOf,
  type Permission,
  readingWith,
} from '../aws-call';
import type { ExternalResources } from '../external-resources';
import { described } from './task';
import type { EcsTasks } from './tasks';

const RunTask = z.looseObject({
  cluster: z.string(),
  taskDefinition: z.string(),
  clientToken: z.string(),
  startedBy: z.string(),
  overrides: z
    .object({
      containerOverrides: z
        .array(
          z.object({
            name: z.string(),
            environment: z.array(z.object({ name: z.string(), value: z.string() })).optional(),
          }),
        )
        .optional(),
    })
    .optional(),
});
const DescribeTasks = z.object({ cluster: z.string(), tasks: z.array(z.string()).min(1).max(100) });
const ListTasks = z.object({
  cluster: z.string(),
  startedBy: z.string(),
  desiredStatus: z.enum(['RUNNING', 'STOPPED']).default('RUNNING'),
});
const StopTask = z.object({ cluster: z.string(), task: z.string(), reason: z.string().optional() });

/** What ECS says when a task is asked to stop: its containers get SIGTERM. */
const stopped = (reason = 'Task stopped by user') => ({
  stopCode: 'UserInitiated',
  stoppedReason: reason,
  exitCode: 143,
});

const reading = readingWith('InvalidParameterException');

/** ECS for clusters outside the stack, as far as the stages call it. */
export function ecs(tasks: EcsTasks, external: ExternalResources): AwsService {
  const actions: Readonly<Record<string, (body: unknown) => AwsReply>> = {
    RunTask: reading(RunTask, (request) => {
      const run = tasks.run(request);
      if ('conflict' in run) return conflict(run.conflict);
      if (run.isNew) external.record(request.taskDefinition, request);
      return run.task.status === 'REFUSED'
        ? awsJson({ tasks: [], failures: [{ arn: request.cluster, reason: 'RESOURCE:MEMORY' }] }, '1.1')
        : awsJson({ tasks: [described(run.task)], failures: [] }, '1.1');
    }),
    DescribeTasks: reading(DescribeTasks, ({ tasks: arns }) => {
      const found = arns.map((arn) => tasks.get(arn));
      const failures = arns.filter((_, at) => !found[at]).map((arn) => ({ arn, reason: 'MISSING' }));
      return awsJson({ tasks: found.filter((one) => one !== undefined).map(described), failures }, '1.1');
    }),
    ListTasks: reading(ListTasks, ({ cluster, startedBy, desiredStatus }) =>
      awsJson({ taskArns: tasks.startedBy(cluster, startedBy, desiredStatus).map(({ arn }) => arn) }, '1.1'),
    ),
    StopTask: reading(StopTask, ({ task: arn, reason }) => {
      const task = tasks.get(arn) && tasks.end(arn, stopped(reason));
      return task
        ? awsJson({ task: described(task) }, '1.1')
        : awsError(400, 'InvalidParameterException', 'The referenced task was not found.');
    }),
  };
  return {
    targetPrefix: 'AmazonEC2ContainerServiceV20141113.',
    async call(call) {
      const run = Object.hasOwn(actions, call.action) ? actions[call.action] : undefined;
      return run
        ? run(jsonOf(call))
        : awsError(400, 'UnknownOperationException', `The local run does not support ECS ${call.action}`);
    },
    permissions: (call) =>
      Object.hasOwn(actions, call.action) ? permissionsOf(call.action, jsonOf(call)) : [],
    denied: (denial) => awsError(400, 'AccessDeniedException', denialMessage(denial)),
    async stop() {
      tasks.stop();
    },
  };
}

/** `iam:PassRole` is not among them: the roles of a task definition are unknown here. */
function permissionsOf(action: string, body: unknown): Permission[] {
  const { cluster, taskDefinition, tasks, task, tags } = body as Record<string, unknown>;
  const ofCluster = (kind: string) => `${String(cluster).replace(':cluster/', `:${kind}/`)}/*`;
  const resources = {
    RunTask: [taskDefinition],
    DescribeTasks: Array.isArray(tasks) ? tasks : [],
    StopTask: [task],
    ListTasks: [ofCluster('container-instance')],
  }[action];
  const needed = (resources ?? []).map((resource) => ({
    action: `ecs:${action}`,
    resource: String(resource),
    context: { 'ecs:cluster': String(cluster) },
  }));
  const tagging = {
    action: 'ecs:TagResource',
    resource: ofCluster('task'),
    context: { 'ecs:createaction': action },
  };
  return action === 'RunTask' && tags ? [...needed, tagging] : needed;
}

const conflict = (arn: string): AwsReply => {
  const reply = awsError(400, 'ConflictException', 'The clientToken was used with other parameters.');
  const body = { ...(JSON.parse(String(reply.body)) as object), resourceIds: [arn] };
  return { ...reply, body: JSON.stringify(body) };
};
