import { LANES } from '../../lambdas/core/contracts/pools';
import { functionOf, ofType, type Resource, resourcesOf, targetOf } from './synth';

test('a new version of the executor takes over a part at a time, if the configuration says so', () => {
  const own = resourcesOf({ executorShift: 'linear' });
  const aliases = ofType(own, 'AWS::Lambda::Alias');
  const fed = aliases.map(([aliasId, { Properties }]) => {
    const mappings = ofType(own, 'AWS::Lambda::EventSourceMapping').filter(([, one]) =>
      JSON.stringify(one.Properties.FunctionName).includes(`"${aliasId}"`),
    );
    return [targetOf(Properties.FunctionName), mappings.length];
  });
  expect(Object.fromEntries(fed)).toEqual({
    [functionOf(own, 'executor')[0]]: LANES.length - 1,
    [functionOf(own, 'longExecutor')[0]]: 1,
  });
  const groups = ofType(own, 'AWS::CodeDeploy::DeploymentGroup');
  expect(groups.map(([id]) => id.replace(/Group[0-9A-F]{8}$/, '')).toSorted()).toEqual([
    'ExecutorShift',
    'LongExecutorShift',
  ]);
  for (const [, group] of groups)
    expect(group.Properties).toMatchObject({
      DeploymentConfigName: 'CodeDeployDefault.LambdaLinear10PercentEvery1Minute',
      AutoRollbackConfiguration: { Enabled: true },
      AlarmConfiguration: {
        Alarms: [
          { Name: { Ref: expect.stringMatching(/^AlarmsFunctionErrors/) } },
          { Name: { Ref: expect.stringMatching(/^AlarmsApiFaults/) } },
        ],
      },
    });
  const deployed = groups.flatMap(([id]) =>
    aliases.flatMap(([alias, one]) => (JSON.stringify(one).includes(`"${id}"`) ? alias : [])),
  );
  expect(new Set(deployed).size).toBe(2);
  const role = (one: Resource) => targetOf(one.Properties.ServiceRoleArn);
  expect(new Set(groups.map(([, group]) => role(group))).size).toBe(1);
  expect(own.get(role(groups[0]![1]))?.Properties.ManagedPolicyArns).toHaveLength(1);
  expect([...resourcesOf().values()].filter(({ Type }) => /Alias|CodeDeploy/.test(Type))).toEqual([]);
});

test('a fix while the alarm is on is deployed at once: the mappings change in place, without CodeDeploy', () => {
  const shifting = resourcesOf({ stage: 'prod', executorShift: 'canary' });
  const fixed = resourcesOf({ stage: 'prod', executorShift: 'all-at-once' });
  const mappingsOf = (of: typeof fixed) => ofType(of, 'AWS::Lambda::EventSourceMapping');
  expect(mappingsOf(fixed).map(([id]) => id)).toEqual(mappingsOf(shifting).map(([id]) => id));
  for (const [id, { Properties }] of mappingsOf(fixed)) {
    const { FunctionName, ...others } = Properties;
    expect(fixed.get(targetOf(FunctionName))?.Type).toBe('AWS::Lambda::Function');
    const { FunctionName: _alias, ...before } = shifting.get(id)!.Properties;
    expect(others).toEqual(before);
  }
  expect([...fixed.values()].filter(({ Type }) => Type.startsWith('AWS::CodeDeploy::'))).toEqual([]);
});
