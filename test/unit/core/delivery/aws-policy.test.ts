import { regionAndAccountOf } from '../../../../lambdas/core/delivery/aws-policy';

test('region and account come from the ARN of a resource of the deployment', () => {
  expect(regionAndAccountOf('arn:aws:secretsmanager:eu-central-1:111122223333:secret:x-AbC')).toEqual({
    region: 'eu-central-1',
    accountId: '111122223333',
  });
  expect(() => regionAndAccountOf('secret')).toThrow(/ARN/);
  expect(() => regionAndAccountOf('arn:aws-cn:secretsmanager:eu-central-1:111122223333:secret:x')).toThrow(
    /ARN/,
  );
});
