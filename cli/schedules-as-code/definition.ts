import { isDeepStrictEqual } from 'node:util';

import type { JobDefinition } from '../../client';
import { isObject } from '../is-object';
import { parseDurationMs } from '../terminal/times';
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
  'runTags',
  'externalId',
  'pauseAfter',
  'expectEvery',
  'expectDuration',
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
 * The defaults come from the OpenAPI document. Those of `misfire.policy`, `timeout` and `retry.maxAge` are
 * written here: they depend on other fields, which a default in JSON Schema cannot. A test compares them with
 * what the API stores.
 */
export function withDefaults(
  definition: Definition,
  { components: { schemas } }: ApiDescription,
): Definition {
  const filled = withSchemaDefaults(definition, schemas.JobDefinition ?? {}, schemas) as Definition;
  const policy = isOneTime(definition.schedule) ? 'fire-now' : 'fire-once';
  const timeout = filled.timeout ?? (filled.workflow === undefined ? '5m' : '24h');
  const maxAge = isWaitedFor(filled.target) ? ageOfWork(timeout) : DEFAULT_MAX_AGE;
  return {
    ...filled,
    ...(isObject(filled.workflow) && { workflow: withDependencies(filled.workflow) }),
    timeout,
    ...(isObject(filled.retry) && { retry: { maxAge, ...filled.retry } }),
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

const DEFAULT_MAX_AGE = '24h';
const HOUR_MS = 3_600_000;
const MOST_HOURS = 366 * 24;

/** Whether an attempt waits for the end of the work that its target starts. */
const isWaitedFor = (target: unknown): boolean =>
  isObject(target) &&
  (target.wait === true ||
    target.durable === true ||
    ['ecs', 'batch', 'glue', 'codebuild'].includes(String(target.type)));

/** Such work may be tried again after its whole time. */
function ageOfWork(timeout: unknown): string {
  const timeoutMs = typeof timeout === 'string' ? parseDurationMs(timeout) : undefined;
  const hours = Math.ceil((timeoutMs ?? 0) / HOUR_MS) + 24;
  return hours > MOST_HOURS ? '366d' : `${hours}h`;
}

/** Dependencies that are absent are none, and a text among them is short for an object. */
function withDependencies(workflow: Definition): Definition {
  if (!isObject(workflow.tasks)) return workflow;
  const tasks = Object.entries(workflow.tasks).map(([id, task]) => {
    if (!isObject(task)) return [id, task];
    const given: unknown[] = Array.isArray(task.dependsOn) ? task.dependsOn : [];
    const dependsOn = given.map((one) => (typeof one === 'string' ? { task: one, if: 'succeeded' } : one));
    const retry = isObject(task.retry) && { retry: { maxAge: DEFAULT_MAX_AGE, ...task.retry } };
    return [id, { ...task, ...retry, dependsOn }];
  });
  return { ...workflow, tasks: Object.fromEntries(tasks) as unknown };
}

function isOneTime(schedule: unknown): boolean {
  if (typeof schedule === 'string') return schedule.startsWith('at(');
  return isObject(schedule) && (schedule.type === 'at' || schedule.type === 'delay');
}
