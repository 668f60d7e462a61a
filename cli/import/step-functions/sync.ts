import { CliError } from '../../exit-codes';
import { overridesOf } from '../ecs-overrides';
import { type Json, neededText, objectIn, Unmapped } from '../json';
import { arnOf, take, withSmallFirst, type Work, workFromAws } from '../work';
import type { Arguments } from './arguments';
import type { Remarks } from './limits';
import type { Call } from './call';
import { objectOf, pathTo, renderedOf, templateOf, unknown, type Value } from './value';

/** What a state waits for, by its resource. */
interface Sync {
  workOf: (given: Json, place: string | undefined, note: Remarks['note']) => Omit<Work, 'most'>;
  /** The longest time that a job of it may have. */
  mostSec: number;
  resultOf: Call['resultOf'];
  /** The field that is the payload of the job. Absent: the payload holds what its texts take from paths. */
  payload?: string;
}

const DAY_SEC = 86_400;
const REST = unknown('what the service says of its work has no counterpart: read its id, or its output');
const idOf = (field: string, id: string) => (output: string) =>
  objectOf({ [field]: pathTo(`${output}.${id}`) }, REST);

const machine: Omit<Sync, 'resultOf'> = {
  workOf({ StateMachineArn: stateMachineArn, ...rest }) {
    const other = Object.keys(rest).find((name) => name !== 'Input');
    if (other !== undefined) throw new Unmapped(`${other} has no counterpart`);
    if (typeof stateMachineArn !== 'string') throw new Unmapped('it has no StateMachineArn');
    return { target: { type: 'stepfunctions', stateMachineArn, wait: true }, called: [stateMachineArn] };
  },
  mostSec: 30 * DAY_SEC,
  payload: 'Input',
};

const SYNCS = {
  'ecs:runTask.sync': { workOf: taskOfEcs, mostSec: 30 * DAY_SEC, resultOf: idOf('TaskArn', 'taskArn') },
  'batch:submitJob.sync': {
    workOf: (given, place) => workFromAws('batch:submitjob', given, place),
    mostSec: 30 * DAY_SEC,
    resultOf: idOf('JobId', 'jobId'),
  },
  'glue:startJobRun.sync': {
    workOf: (given, place) => workFromAws('glue:startjobrun', given, place),
    mostSec: 7 * DAY_SEC,
    resultOf: idOf('Id', 'jobRunId'),
  },
  'codebuild:startBuild.sync': {
    workOf: (given, place) => workFromAws('codebuild:startbuild', given, place),
    mostSec: 44 * 3_600,
    resultOf: (output) => objectOf({ Build: idOf('Id', 'buildId')(output) }, REST),
  },
  'states:startExecution.sync': {
    ...machine,
    resultOf: () =>
      objectOf({ Output: unknown('Output is a text with JSON in it: use startExecution.sync:2') }, REST),
  },
  'states:startExecution.sync:2': {
    ...machine,
    resultOf: (output) => objectOf({ Output: pathTo(output) }, REST),
  },
} satisfies Record<string, Sync>;

export const isSync = (service: string): service is keyof typeof SYNCS => Object.hasOwn(SYNCS, service);

/** Work that a state waits for. Throws `Unmapped`. */
export function syncCallOf(
  service: keyof typeof SYNCS,
  given: Arguments,
  { place, note }: { place: string | undefined; note: Remarks['note'] },
): Call {
  const { workOf, mostSec, resultOf, payload }: Sync = SYNCS[service];
  const taken = new TakenFromPaths();
  const fixed = taken.outOf({ kind: 'object', fields: given.all((name) => name !== payload) }) as Json;
  const { target, called, limitSec = mostSec } = workOf(fixed, place, note);
  if (called.some((arn) => arn.includes('{{')))
    throw new Unmapped('a path names what it starts: the target of a job has no templates for that');
  const input = payload === undefined ? taken.values : given.value(payload) && given.message(payload);
  return {
    target,
    input: input ?? {},
    service: 'work',
    work: { called, mostSec: Math.min(mostSec, limitSec) },
    resultOf,
  };
}

/**
 * Values that a state takes from paths, as the payload of the job that does its work. Texts of that job's
 * target name them: it knows nothing of the run.
 */
class TakenFromPaths {
  readonly values: Record<string, string> = {};

  outOf(value: Value): unknown {
    switch (value.kind) {
      case 'path':
        return templateOf(`payload.${this.nameOf(value.text)}`);
      case 'list':
        return value.items.map((item) => this.outOf(item));
      case 'object':
        if (value.rest) return renderedOf(value);
        return Object.fromEntries([...value.fields].map(([key, inner]) => [key, this.outOf(inner)]));
      case 'json':
      case 'unknown':
        return renderedOf(value);
    }
  }

  private nameOf(path: string): string {
    const value = templateOf(path);
    const [base = 'value'] = /[A-Za-z_]\w*$/.exec(path) ?? [];
    for (let count = 1; ; count++) {
      const name = count === 1 ? base : `${base}${count}`;
      if ((this.values[name] ??= value) === value) return name;
    }
  }
}

/** A task of ECS. How its cluster starts tasks is said by the operator of a deployment. */
function taskOfEcs(json: Json, place: string | undefined, note: Remarks['note']): Omit<Work, 'most'> {
  const given = withSmallFirst(json) as Json;
  const arnFrom = (name: string, kind: string) => {
    const text = take(given, name, neededText);
    return arnOf(place, 'ecs', text.startsWith('arn:') ? text : `${kind}/${text}`);
  };
  const taskDefinitionArn = arnFrom('taskDefinition', 'task-definition');
  const clusterArn = arnFrom('cluster', 'cluster');
  const overrides = take(given, 'overrides', objectIn);
  for (const name of BY_OPERATOR) {
    const said = take(given, name, (from) => from[name]);
    if (said !== undefined)
      note(`its ${name} is for errands.ecs.clusters of the deployment: ${JSON.stringify(said)}`);
  }
  note('its roles are for errands.ecs.passRoles of the deployment');
  if (Object.keys(given).length > 0)
    throw new Unmapped(`its task has ${Object.keys(given).join(', ')}, which no job may say`);
  return {
    target: { type: 'ecs', taskDefinitionArn, clusterArn, ...(overrides && overridesOf(overrides)) },
    called: [taskDefinitionArn, clusterArn],
  };
}

const BY_OPERATOR = ['launchType', 'networkConfiguration', 'capacityProviderStrategy', 'platformVersion'];

const ARN = /^arn:(aws[a-z-]*):states:([a-z0-9-]+):(\d{12}):stateMachine:/;

/** Where a machine is, by its ARN. */
export function placeOf(arn: string): string {
  const [, partition, region, account] = ARN.exec(arn) ?? [];
  if (partition !== undefined) return `${partition}:*:${region}:${account}`;
  throw new CliError(`--arn is ${JSON.stringify(arn)}; expected the ARN of the state machine`);
}
