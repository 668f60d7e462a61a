import { isObject } from './is-object';
import { type Schema, withSchemaDefaults } from './schema-defaults';

/** A job's definition as data: what it means, and whether it can be, is for the API to say. */
export type Definition = Record<string, unknown>;

/** The fields that a user may set, in the order in which people read them. */
export const DEFINITION_FIELDS = [
  'name',
  'schedule',
  'target',
  'targets',
  'payload',
  'priority',
  'pool',
  'retry',
  'misfire',
  'overlap',
  'orderingKey',
  'onFailure',
  'timeout',
  'tags',
] as const;

/** What of a job its user has set. */
export function definitionOf(job: object): Definition {
  const given = job as Definition;
  return Object.fromEntries(
    DEFINITION_FIELDS.filter((field) => given[field] !== undefined).map((field) => [field, given[field]]),
  );
}

/** The API's own description of itself, as far as it is read here. */
export interface ApiDescription {
  components: { schemas: Record<string, Schema> };
}

/**
 * A definition as the API would keep it, so that it can be compared with what the API keeps: with the defaults that it
 * says it has, and those that depend on other fields.
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
