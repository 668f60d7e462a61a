import { LANES } from '../../lambdas/core/contracts/pools';
import { inEachDeployment } from './maximal';
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

inEachDeployment(({ config, resources }) => {
  test('each executor of each pool shifts, if the configuration says so, and ends by at most ten alarms', () => {
    const pools = Object.keys(config.pools).length;
    const isShifting = config.executorShift !== 'all-at-once';
    const groups = ofType(resources, 'AWS::CodeDeploy::DeploymentGroup');
    expect(groups).toHaveLength(isShifting ? 2 * pools : 0);
    expect(ofType(resources, 'AWS::Lambda::Alias')).toHaveLength(groups.length);
    for (const [, { Properties }] of groups) {
      const names = Properties.AlarmConfiguration.Alarms.map(({ Name }: { Name: unknown }) => targetOf(Name));
      const ofFaults = names.filter((name: string) => /^Alarms(FunctionErrors|ApiFaults)/.test(name));
      // Errors of the executors of each pool, and faults of the API.
      expect([names.length, ofFaults.length]).toEqual([pools + 1, pools + 1]);
      expect(names.length).toBeLessThanOrEqual(10);
    }
  });
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
