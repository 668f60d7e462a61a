import { LANES } from '../../lambdas/core/contracts/pools';
import { functionOf, ofType, resourcesOf, targetOf } from './synth';

test('a new version of the executor takes over a part at a time, if the configuration says so', () => {
  const own = resourcesOf({ executorShift: 'linear' });
  const [[aliasId, alias] = []] = ofType(own, 'AWS::Lambda::Alias');
  const [executorId] = functionOf(own, 'executor');
  expect(targetOf(alias?.Properties.FunctionName)).toBe(executorId);
  const fed = ofType(own, 'AWS::Lambda::EventSourceMapping').filter(([, { Properties }]) =>
    JSON.stringify(Properties.FunctionName).includes(aliasId!),
  );
  expect(fed).toHaveLength(LANES.length);
  const [[, group] = []] = ofType(own, 'AWS::CodeDeploy::DeploymentGroup');
  expect(group?.Properties).toMatchObject({
    DeploymentConfigName: 'CodeDeployDefault.LambdaLinear10PercentEvery1Minute',
    AutoRollbackConfiguration: { Enabled: true },
    AlarmConfiguration: {
      Alarms: [
        { Name: { Ref: expect.stringMatching(/^AlarmsFunctionErrors/) } },
        { Name: { Ref: expect.stringMatching(/^AlarmsApiFaults/) } },
      ],
    },
  });
  expect([...resourcesOf().values()].filter(({ Type }) => /Alias|CodeDeploy/.test(Type))).toEqual([]);
});
