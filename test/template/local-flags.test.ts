import localConfig from '../../config/local.json';
import { type TemplateFlags, withFlags } from '../../local/template/with-flags';
import { type Resource, resourcesOf, variablesOf } from './synth';

/** The context of a synthesis that has what a flag of `npm start` says. */
const pools = (executors: number): object => {
  const { overflow, long, ...priorities } = localConfig.pools.default.maxConcurrency;
  const changed = Object.fromEntries(Object.keys(priorities).map((priority) => [priority, executors]));
  return { default: { ...localConfig.pools.default, maxConcurrency: { ...changed, overflow, long } } };
};

/** Each resource, and the variables of functions with those of their settings file. */
function comparable(resources: Map<string, Resource>): object {
  return Object.fromEntries(
    [...resources]
      // Another text in the settings file gives the layer another key.
      .filter(([, { Type }]) => Type !== 'AWS::Lambda::LayerVersion')
      .map(([id, resource]) => {
        if (!resource.Properties?.Environment) return [id, resource];
        const Environment = variablesOf(resources, resource);
        return [id, { ...resource, Properties: { ...resource.Properties, Environment } }];
      }),
  );
}

const BASE = resourcesOf({ stage: 'local' });

/** What the local run makes of the template without flags. */
function flagged(flags: TemplateFlags): object {
  const template = { Parameters: {}, Conditions: {}, Resources: Object.fromEntries(BASE) };
  const changed = withFlags({ template }, flags).template.Resources;
  const environments = Object.entries(changed).map(([id, { Properties }]): [string, object] => {
    const { Variables = {} } = (Properties?.Environment ?? {}) as { Variables?: object };
    return [id, Variables];
  });
  const base = comparable(BASE) as Record<string, Resource>;
  return Object.fromEntries(
    environments.map(([id, variables]) => {
      const known = base[id];
      if (!known) return [id, undefined];
      const { SETTINGS_FILE: _, ...own } = variables as Record<string, unknown>;
      const Environment = known.Properties?.Environment && { ...known.Properties.Environment, ...own };
      const resource = changed[id]!;
      const Properties = resource.Properties && {
        ...resource.Properties,
        ...(Environment && { Environment }),
      };
      return [id, { ...resource, ...(Properties && { Properties }) }];
    }),
  );
}

const withoutUndefined = (value: object): object => JSON.parse(JSON.stringify(value)) as object;

test.each<[TemplateFlags, object]>([
  [{}, {}],
  [{ strictTargets: true }, { strictTargets: 'true' }],
  [{ projects: 'groups' }, { projects: { from: 'groups' } }],
  [{ projects: 'claim:team' }, { projects: { from: 'claim:team' } }],
  ...[2, 7, 8, 64, 256].map((executors): [TemplateFlags, object] => [
    { executors },
    { pools: pools(executors) },
  ]),
  [
    { strictTargets: true, projects: 'groups', executors: 3 },
    { strictTargets: 'true', projects: { from: 'groups' }, pools: pools(3) },
  ],
])('the flags %j give the template of a synthesis', (flags, context) => {
  const synthesized = comparable(resourcesOf({ stage: 'local', ...context }));
  expect(withoutUndefined(flagged(flags))).toEqual(withoutUndefined(synthesized));
});
