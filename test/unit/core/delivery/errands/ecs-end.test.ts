import { endOfTask } from '../../../../../lambdas/core/delivery/errands/ecs-end';

const TASK = 'arn:aws:ecs:us-west-2:111122223333:task/FargateCluster/c13b4cb40f1f4fe4a2971f76ae5a47ad';
const overridesOf = (name: string) => ({
  containerOverrides: [
    { name, environment: [{ name: 'QUARTERJACK_ERRAND', value: 'qj-1' }] },
    { name: 'log' },
  ],
});
const containersWith = (...codes: [name: string, exitCode: number | undefined, reason?: string][]) =>
  codes.map(([name, exitCode, reason]) => ({
    containerArn: 'arn:aws:ecs:us-west-2:111122223333:container/cf159fd6-3e3f-4a9e-84f9-66cbe726af01',
    ...(exitCode !== undefined && { exitCode }),
    ...(reason !== undefined && { reason }),
    lastStatus: 'STOPPED',
    name,
    taskArn: TASK,
  }));
/** As the event of a task that has stopped, and as `DescribeTasks`. */
const stopped = (more: object) => ({
  clusterArn: 'arn:aws:ecs:us-west-2:111122223333:cluster/FargateCluster',
  taskArn: TASK,
  desiredStatus: 'STOPPED',
  lastStatus: 'STOPPED',
  stopCode: 'EssentialContainerExited',
  stoppedReason: 'Essential container in task exited',
  group: 'family:sample-fargate',
  launchType: 'FARGATE',
  overrides: { containerOverrides: [{ name: 'app' }] },
  ...more,
});

test.each(['PROVISIONING', 'PENDING', 'RUNNING', 'DEACTIVATING', 'STOPPING', 'DEPROVISIONING'])(
  '%s is no end, even if it is to stop',
  (lastStatus) => expect(endOfTask(stopped({ lastStatus }))).toBeUndefined(),
);

test('exit 0 is success; the output says which task it was', () => {
  const end = endOfTask(stopped({ containers: containersWith(['app', 0]) }));
  expect(end).toEqual({
    how: 'succeeded',
    body: 'exit 0: app',
    output: { json: JSON.stringify({ taskArn: TASK, exitCode: 0 }) },
  });
});

test('another exit code is a failure, with the words of ECS', () => {
  expect(endOfTask(stopped({ containers: containersWith(['app', 1]) }))).toEqual({
    how: 'failed',
    exitCode: 1,
    error: 'exit 1: app: EssentialContainerExited: Essential container in task exited',
  });
  const killed = containersWith(['app', 137, 'OutOfMemoryError: Container killed due to memory usage']);
  expect(endOfTask(stopped({ containers: killed }))).toEqual({
    how: 'failed',
    exitCode: 137,
    error: 'exit 137: app: OutOfMemoryError: Container killed due to memory usage',
  });
});

test('the container that was started for the errand decides: those beside it are stopped with it', () => {
  const containers = containersWith(['log', 143], ['app', 0]);
  expect(endOfTask(stopped({ containers, overrides: overridesOf('app') }))).toMatchObject({
    how: 'succeeded',
  });
  expect(endOfTask(stopped({ containers }))).toMatchObject({
    how: 'failed',
    error: expect.stringMatching(/^exit 143: log/) as string,
  });
  const failed = containersWith(['log', 0], ['app', 3]);
  expect(endOfTask(stopped({ containers: failed, overrides: overridesOf('app') }))).toMatchObject({
    how: 'failed',
    error: expect.stringMatching(/^exit 3: app/) as string,
  });
});

test('a container that should have exited, and has no exit code, has failed', () => {
  const containers = containersWith(['app', undefined, 'CannotStartContainerError: no such file']);
  expect(endOfTask(stopped({ containers, overrides: overridesOf('app') }))).toEqual({
    how: 'failed',
    error: 'no exit code: app: CannotStartContainerError: no such file',
  });
  expect(endOfTask(stopped({ containers: [] }))).toMatchObject({ how: 'failed' });
});

test.each([
  ['SpotInterruption', 'Your Spot Task was interrupted.'],
  ['TerminationNotice', 'Task stopped due to a termination notice'],
  ['InfrastructureHealth', 'unhealthy'],
  [undefined, 'Host EC2 (instance i-0c2b9f1) terminated.'],
])('%s, %s: the host was lost, whatever the containers say', (stopCode, stoppedReason) => {
  const containers = containersWith(['app', 143]);
  expect(endOfTask(stopped({ stopCode, stoppedReason, containers }))).toEqual({
    how: 'lost',
    error: [stopCode, stoppedReason].filter(Boolean).join(': '),
  });
});

test('a task that was asked to stop is stopped, whatever its containers say', () => {
  const containers = containersWith(['app', 0]);
  expect(endOfTask(stopped({ stopCode: 'UserInitiated', stoppedReason: 'by hand', containers }))).toEqual({
    how: 'stopped',
    error: 'UserInitiated: by hand',
  });
});

test('a task that fails to start may start later, unless its image does not exist', () => {
  const endWith = (stoppedReason: string) =>
    endOfTask(stopped({ stopCode: 'TaskFailedToStart', stoppedReason }));
  expect(endWith('ResourceInitializationError: unable to pull secrets')).toEqual({
    how: 'failed',
    error: 'TaskFailedToStart: ResourceInitializationError: unable to pull secrets',
  });
  expect(endWith('CannotPullContainerError: i/o timeout')).not.toHaveProperty('isFatal');
  expect(
    endWith('CannotPullContainerError: failed to resolve ref docker.io/library/no-such:1: not found'),
  ).toMatchObject({ how: 'failed', isFatal: true });
});
