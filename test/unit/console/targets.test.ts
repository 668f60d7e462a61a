import { targetParts } from '../../../console/parts/target-text';

const ARN = 'arn:aws:lambda:eu-central-1:111122223333:function:report';

test.each([
  [ARN, { text: ARN, badges: [] }],
  [`${ARN}:live`, { text: ARN, badges: [{ text: 'live', title: 'version or alias' }] }],
  [`${ARN}:7`, { text: ARN, badges: [{ text: '7', title: 'version or alias' }] }],
  [`${ARN}:$LATEST`, { text: ARN, badges: [{ text: '$LATEST', title: 'version or alias' }] }],
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
  ).toEqual({ text: `task of ${here}:task-definition/report:7 in ${here}:cluster/jobs`, badges: [] });
});

test('the ARN of a state machine stays whole', () => {
  const stateMachineArn = 'arn:aws:states:eu-central-1:111122223333:stateMachine:m';
  expect(targetParts({ type: 'stepfunctions', stateMachineArn })).toEqual({
    text: stateMachineArn,
    badges: [],
  });
});

test('a target by HTTP has its proofs as badges, and no reference to a secret', () => {
  const reference = '{{ secrets.bank }}';
  const target = {
    type: 'http' as const,
    url: 'https://bank.example/pay',
    auth: { type: 'bearer' as const, token: reference },
    tls: { certificate: reference, key: reference },
  };
  expect(targetParts(target)).toEqual({
    text: 'POST https://bank.example/pay',
    badges: [
      { text: 'bearer', title: 'how it knows its caller' },
      { text: 'client certificate', title: 'in TLS' },
    ],
  });
  expect(targetParts({ ...target, auth: undefined, tls: { ca: reference } }).badges).toEqual([
    { text: 'own authority', title: 'in TLS' },
  ]);
});
