import { TARGET_RESOURCES } from '../../../../../lambdas/core/contracts/target-resources';
import { TARGET_TYPES, type TargetTypes } from '../../../../../lambdas/core/delivery/targets/registry';
import type { Target } from '../../../../../lambdas/core/domain/target';
import { apiContract } from '../../../../support/api-contract';

interface PigeonTarget {
  type: 'carrier-pigeon';
  ring: string;
}

test('a type of the union without an entry does not compile', () => {
  // @ts-expect-error Property 'carrier-pigeon' is missing
  const incomplete: TargetTypes<Target | PigeonTarget> = TARGET_TYPES;
  expect(incomplete).not.toHaveProperty('carrier-pigeon');
});

/** No job has these: notifications alone do. */
const OF_NOTIFICATIONS = ['email', 'pagerduty', 'incident-io'];
const OF_JOBS = Object.entries(TARGET_TYPES).filter(([type]) => !OF_NOTIFICATIONS.includes(type));

test('the stack can grant every type of a job but http, and those for which others come themselves', () => {
  expect(OF_JOBS.map(([type]) => type)).toEqual([
    'http',
    ...Object.keys(TARGET_RESOURCES),
    'aws',
    'worker',
    'monitor',
  ]);
});

test('requests and responses have every type, with the field that its errors name', () => {
  const { JobDefinition, Job, Target, TargetOutput } = apiContract().document.components.schemas;
  const expected = OF_JOBS.map(([type, { field }]) => ({
    properties: { type: { const: type }, [field]: { type: 'string' } },
    required: expect.arrayContaining(['type', field]) as unknown,
  }));
  for (const schema of [Target, TargetOutput]) expect(schema).toMatchObject({ oneOf: expected });
  const refersTo = (name: string) => ({ properties: { target: { $ref: `#/components/schemas/${name}` } } });
  expect(JobDefinition).toMatchObject(refersTo('Target'));
  expect(Job).toMatchObject(refersTo('TargetOutput'));
});
