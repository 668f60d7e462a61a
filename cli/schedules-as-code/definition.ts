import { isDeepStrictEqual } from 'node:util';

import type { JobDefinition } from '../../client';
import { isObject } from '../is-object';
import { type Schema, withSchemaDefaults } from './schema-defaults';

/** A job's definition as it was read. Only the API knows whether it is valid. */
export type Definition = Record<string, unknown>;

/**
 * The fields of a definition, in the order in which they are shown.
 *
 * They are not read from the OpenAPI document, as the defaults are: a file is checked before the first
 * request to the API. A test compares them with that document.
 */
export const DEFINITION_FIELDS = [
  'name',
  'schedule',
  'target',
  'targets',
  'workflow',
  'payload',
  'payloadSchema',
  'templates',
  'priority',
  'pool',
  'retry',
  'misfire',
  'overlap',
  'orderingKey',
  'concurrencyKey',
  'onFailure',
  'timeout',
  'tags',
  'pauseAfter',
  'expectEvery',
  'onEnd',
] as const satisfies readonly (keyof JobDefinition)[];

/** The fields of a job that its user can set. */
export function definitionOf(job: object): Definition {
  const given = job as Definition;
  return Object.fromEntries(
    DEFINITION_FIELDS.filter((field) => given[field] !== undefined).map((field) => [field, given[field]]),
  );
}

/** The part of the OpenAPI document that is read here. */
export interface ApiDescription {
  components: { schemas: Record<string, Schema> };
}

/**
 * A definition as the API would store it, so that it can be compared with a stored one.
 *
 * The defaults come from the OpenAPI document. Those of `misfire.policy` and `timeout` are written here: they
 * depend on other fields, which a default in JSON Schema cannot. A test compares them with what the API
 * stores.
 */
export function withDefaults(
  definition: Definition,
  { components: { schemas } }: ApiDescription,
): Definition {
  const filled = withSchemaDefaults(definition, schemas.JobDefinition ?? {}, schemas) as Definition;
  const policy = isOneTime(definition.schedule) ? 'fire-now' : 'fire-once';
  return {
    ...filled,
    ...(isObject(filled.workflow) && { workflow: withDependencies(filled.workflow) }),
    timeout: filled.timeout ?? (filled.workflow === undefined ? '5m' : '24h'),
    ...(isObject(filled.misfire) ? { misfire: { policy, ...filled.misfire } } : {}),
  };
}

/** A definition as `withDefaults` gives it, without the fields whose absence means the same. */
export function withoutDefaults(definition: Definition, api: ApiDescription): Definition {
  const short: Definition = { ...definition };
  for (const field of Object.keys(definition)) {
    const { [field]: value, ...rest } = short;
    if (isDeepStrictEqual(withDefaults(rest, api)[field], value)) delete short[field];
  }
  return short;
}

/** Dependencies that are absent are none, and a text among them is short for an object. */
function withDependencies(workflow: Definition): Definition {
  if (!isObject(workflow.tasks)) return workflow;
  const tasks = Object.entries(workflow.tasks).map(([id, task]) => {
    if (!isObject(task)) return [id, task];
    const given: unknown[] = Array.isArray(task.dependsOn) ? task.dependsOn : [];
    const dependsOn = given.map((one) => (typeof one === 'string' ? { task: one, if: 'succeeded' } : one));
    return [id, { ...task, dependsOn }];
  });
  return { ...workflow, tasks: Object.fromEntries(tasks) as unknown };
}

function isOneTime(schedule: unknown): boolean {
  if (typeof schedule === 'string') return schedule.startsWith('at(');
  return isObject(schedule) && (schedule.type === 'at' || schedule.type === 'delay');
}
