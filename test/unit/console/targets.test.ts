import { targetParts } from '../../../console/parts/target-text';

const ARN = 'arn:aws:lambda:eu-central-1:111122223333:function:report';

test.each([
  [ARN, { text: ARN }],
  [`${ARN}:live`, { text: ARN, qualifier: 'live' }],
  [`${ARN}:7`, { text: ARN, qualifier: '7' }],
  [`${ARN}:$LATEST`, { text: ARN, qualifier: '$LATEST' }],
])('%s has its version or alias apart', (functionArn, expected) => {
  expect(targetParts({ type: 'lambda', functionArn })).toEqual(expected);
});

test('a task of ECS names its cluster too', () => {
  const here = 'arn:aws:ecs:eu-central-1:111122223333';
  expect(
    targetParts({
      type: 'ecs',
      taskDefinitionArn: `${here}:task-definition/report:7`,
      clusterArn: `${here}:cluster/jobs`,
    }),
  ).toEqual({ text: `task of ${here}:task-definition/report:7 in ${here}:cluster/jobs` });
});

test('the ARN of a state machine stays whole', () => {
  const stateMachineArn = 'arn:aws:states:eu-central-1:111122223333:stateMachine:m';
  expect(targetParts({ type: 'stepfunctions', stateMachineArn })).toEqual({ text: stateMachineArn });
});
