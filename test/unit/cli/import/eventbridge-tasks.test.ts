import { importFromAws } from '../../../../cli/import/eventbridge/translate';
import { awsSchedule, withTarget } from './aws-schedule';

const HERE = 'arn:aws:ecs:us-east-1:111122223333';
const NOW_MS = Date.parse('2026-11-21T08:00:00Z');

const importOf = (parameters: object = {}, Input?: string) => {
  const EcsParameters = { TaskDefinitionArn: `${HERE}:task-definition/report:7`, ...parameters };
  return importFromAws(
    [awsSchedule(withTarget({ Arn: `${HERE}:cluster/jobs`, EcsParameters, Input }))],
    NOW_MS,
  );
};
const overriding = (...containerOverrides: object[]) => JSON.stringify({ containerOverrides });

test('a schedule that starts a task is a job that waits for it, with the variables of one container', () => {
  const environment = [
    { name: 'MODE', value: 'full' },
    { name: 'DAY', value: '1' },
  ];
  const { jobs, allowedTargetArns } = importOf({}, overriding({ name: 'app', environment }));
  expect(jobs[0]?.definition).toMatchObject({
    target: {
      type: 'ecs',
      taskDefinitionArn: `${HERE}:task-definition/report:7`,
      clusterArn: `${HERE}:cluster/jobs`,
      container: 'app',
      environment: { MODE: 'full', DAY: '1' },
    },
    timeout: '7d',
    retry: { maxAttempts: 1 },
  });
  expect(jobs[0]?.definition).not.toHaveProperty('payload');
  expect(allowedTargetArns).toEqual([`${HERE}:task-definition/report:7`, `${HERE}:cluster/jobs`]);
  expect(jobs[0]?.notes.join('\n')).toMatch(/ends as the task ends/);
});

test('what its operator says of a cluster is a note, and so are several tasks', () => {
  const NetworkConfiguration = { awsvpcConfiguration: { Subnets: ['subnet-0a'] } };
  const { jobs } = importOf({ LaunchType: 'FARGATE', NetworkConfiguration, TaskCount: 3 });
  const notes = jobs[0]!.notes.join('\n');
  expect(notes).toContain('its LaunchType is for errands.ecs.clusters of the deployment: "FARGATE"');
  expect(notes).toContain('subnet-0a');
  expect(notes).toContain('its TaskCount is 3, and a job starts one task');
  expect(jobs[0]?.definition.target).not.toHaveProperty('container');
});

test.each([
  ['a command', {}, overriding({ name: 'app', command: ['x'] }), /overrides command: use a task definition/],
  ['a role', {}, '{"taskRoleArn":"arn:aws:iam::1:role/x"}', /overrides taskRoleArn/],
  ['two containers', {}, overriding({ name: 'a' }, { name: 'b' }), /overrides several containers/],
  ['a text', {}, 'hello', /is not a JSON object/],
  ['a group', { Group: 'g' }, undefined, /its EcsParameters.Group has no counterpart/],
])('%s has no counterpart', (_, parameters, input, reason) => {
  const { jobs, refused } = importOf(parameters, input);
  expect(jobs).toEqual([]);
  expect(refused[0]?.reason).toMatch(reason);
});
