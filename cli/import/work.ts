import { isObject } from '../is-object';
import { type Json, neededText, numberIn, objectIn, objectsIn, textIn, Unmapped } from './json';

/** Work that AWS only starts, by the name of the call in lower case. Its end counts here. */
const WORKS = {
  'batch:submitjob': { make: jobOfBatch, most: '7d' },
  'glue:startjobrun': { make: runOfGlue, most: '7d' },
  'codebuild:startbuild': { make: buildOf, most: '44h' },
} as const;

export const isWork = (call: string): call is keyof typeof WORKS => Object.hasOwn(WORKS, call);

/** A target that does work, as a call of AWS starts it. */
export interface Work {
  target: Json;
  /** ARNs of what is called. */
  called: string[];
  /** The longest time that the call allows. */
  limitSec?: number | undefined;
  /** The longest `timeout` of such a job. */
  most: string;
}

/**
 * The target of a call that starts work. Throws `Unmapped` for what no job may say.
 *
 * @param place of ARNs: the call may name its resources without one. Absent: it may not
 */
export function workFromAws(call: keyof typeof WORKS, input: Json, place: string | undefined): Work {
  const { make, most } = WORKS[call];
  const given = withSmallFirst(input) as Json;
  const made = make(given, place);
  if (Object.keys(given).length > 0)
    throw new Unmapped(`its call of AWS has ${Object.keys(given).join(', ')}, which no job may say`);
  return { ...made, most };
}

type Made = Omit<Work, 'most'>;
type Place = string | undefined;

/** Takes a field out: what is left at the end has no counterpart. */
export function take<Value>(given: Json, name: string, read: (json: Json, name: string) => Value): Value {
  const value = read(given, name);
  delete given[name];
  return value;
}

export function arnOf(place: Place, service: string, resource: string): string {
  if (resource.startsWith('arn:')) return resource;
  if (place !== undefined) return `arn:${place.replace('*', service)}:${resource}`;
  throw new Unmapped(
    `${JSON.stringify(resource)} is no whole ARN: --arn, the ARN of the machine, says its region and account`,
  );
}

function jobOfBatch(given: Json, place: Place): Made {
  const jobDefinitionArn = arnOf(place, 'batch', definition(take(given, 'jobDefinition', neededText)));
  const queue = take(given, 'jobQueue', neededText);
  const jobQueueArn = queue.startsWith('arn:') ? queue : arnOf(place, 'batch', `job-queue/${queue}`);
  delete given.jobName;
  const overrides = { ...take(given, 'containerOverrides', objectIn) };
  const variables = take(overrides, 'environment', variablesIn);
  if (Object.keys(overrides).length > 0)
    throw new Unmapped(`it overrides ${Object.keys(overrides).join(', ')}: use a job definition of its own`);
  const parameters = take(given, 'parameters', objectIn);
  const timeout = take(given, 'timeout', objectIn);
  return {
    target: { type: 'batch', jobDefinitionArn, jobQueueArn, ...variables, ...(parameters && { parameters }) },
    called: [jobDefinitionArn, jobQueueArn],
    limitSec: timeout && numberIn(timeout, 'attemptDurationSeconds', { least: 60 }),
  };
}

const definition = (name: string): string => (name.startsWith('arn:') ? name : `job-definition/${name}`);

function runOfGlue(given: Json, place: Place): Made {
  const glueJobArn = arnOf(place, 'glue', `job/${take(given, 'jobName', neededText)}`);
  const values = take(given, 'arguments', objectIn);
  const minutes = take(given, 'timeout', (json, name) => numberIn(json, name, { least: 1 }));
  return {
    target: { type: 'glue', glueJobArn, ...(values && { arguments: values }) },
    called: [glueJobArn],
    limitSec: minutes && minutes * 60,
  };
}

function buildOf(given: Json, place: Place): Made {
  const project = take(given, 'projectName', neededText);
  const projectArn = project.startsWith('arn:') ? project : arnOf(place, 'codebuild', `project/${project}`);
  const variables = take(given, 'environmentVariablesOverride', variablesIn);
  const minutes = take(given, 'timeoutInMinutesOverride', (json, name) => numberIn(json, name, { least: 5 }));
  return {
    target: { type: 'codebuild', projectArn, ...variables },
    called: [projectArn],
    limitSec: minutes && minutes * 60,
  };
}

export function variablesIn(json: Json, name: string): Json {
  const list = objectsIn(json, name);
  const secret = list.find((one) => (textIn(one, 'type') ?? 'PLAINTEXT') !== 'PLAINTEXT');
  if (secret)
    throw new Unmapped(
      `its variable ${neededText(secret, 'name')} is a reference: let the work read it itself`,
    );
  if (list.length === 0) return {};
  return {
    environment: Object.fromEntries(list.map((one) => [neededText(one, 'name'), textIn(one, 'value') ?? ''])),
  };
}

/** Fields as the services name them: the calls of a schedule may begin them with a capital. */
export function withSmallFirst(value: unknown, isNamed = false): unknown {
  if (Array.isArray(value)) return value.map((one) => withSmallFirst(one));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const small = isNamed ? name : name.charAt(0).toLowerCase() + name.slice(1);
      return [small, withSmallFirst(inner, small === 'parameters' || small === 'arguments')];
    }),
  );
}
