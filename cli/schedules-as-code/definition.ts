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
  'payload',
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
 * The defaults come from the OpenAPI document. Only that of `misfire.policy` is written here: it depends on
 * the kind of schedule, which a default in JSON Schema cannot. A test compares it with what the API stores.
 */
export function withDefaults(
  definition: Definition,
  { components: { schemas } }: ApiDescription,
): Definition {
  const filled = withSchemaDefaults(definition, schemas.JobDefinition ?? {}, schemas) as Definition;
  const policy = isOneTime(definition.schedule) ? 'fire-now' : 'fire-once';
  return {
    ...filled,
    ...(isObject(filled.misfire) ? { misfire: { policy, ...filled.misfire } } : {}),
  };
}

function isOneTime(schedule: unknown): boolean {
  if (typeof schedule === 'string') return schedule.startsWith('at(');
  return isObject(schedule) && (schedule.type === 'at' || schedule.type === 'delay');
}
