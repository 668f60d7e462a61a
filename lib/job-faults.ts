import { Token } from 'aws-cdk-lib';

import { needsOfAction } from '../lambdas/core/contracts/action-names';
import { type FieldFault, faultsOf } from '../lambdas/core/contracts/field-faults';
import { faultOfPool } from '../lambdas/core/contracts/pools';
import { EVERY_PROJECT } from '../lambdas/core/contracts/target-resources';
import { faultsOfJob, faultsOfLabels, sampleTarget } from '../lambdas/core/delivery/job-templates/check-job';
import { targetTypeOf } from '../lambdas/core/delivery/targets/registry';
import type { TargetRules } from '../lambdas/core/delivery/targets/target-type';
import { faultOfExpectEvery } from '../lambdas/core/domain/expectation';
import { isSecretUrl, secretNamesOf } from '../lambdas/core/domain/target-secrets';
import type { Workflow } from '../lambdas/core/domain/workflow/definition';
import { faultOfStartWithin } from '../lambdas/core/domain/work';
import { JobBody, READ_ONLY_FIELDS } from '../lambdas/core/http/job';
import { TargetBody } from '../lambdas/core/http/target';
import { parseDuration } from '../lambdas/core/schedule/duration';
import { quoted, ScheduleError } from '../lambdas/core/schedule/schedule-error';
import type { ScheduleSpec } from '../lambdas/core/schedule/spec';
import { validateSchedule } from '../lambdas/core/schedule/validate';
import { TemplateError } from '../lambdas/core/templates/template-error';
import type { StageConfig } from './config/stage-config';
import { schemaFaults } from './schema-faults';

/** What a deployment decides about its jobs. */
export interface JobRules {
  config: Pick<StageConfig, 'retentionDays' | 'targetPolicy' | 'allowedTargetHosts'> &
    // Of another app's deployment, they are not known.
    Partial<Pick<StageConfig, 'pools'>>;
  /** Names of the deployment's own resources begin with it. */
  deploymentName: string;
  project: string;
}

type Path = readonly (string | number)[];
type Fault = Pick<FieldFault, 'path' | 'message'>;

/** A definition with a text in place of each token. */
interface Literal {
  value: unknown;
  tokens: readonly Path[];
}

const IN_PLACE_OF_TOKEN = 'token';

/**
 * What the API would reject of a definition, as far as the synthesis knows it, each in a line with the
 * field's value. Left out are fields with tokens, whether a time is past, and what the project has: secrets,
 * calendars, keys and other jobs.
 */
export function jobFaults(job: unknown, rules: JobRules): string[] {
  const literal = literalOf(job);
  const ofShape = shapeFaults(literal, JobBody);
  const faults = ofShape.length > 0 ? ofShape : meaningFaults(literal, rules);
  return faults.map((fault) => lineOf(fault, literal));
}

/** What the API would reject of the fields of a target that are no tokens, whatever the deployment allows. */
export function targetFieldFaults(target: object): string[] {
  const literal = literalOf(target);
  return shapeFaults(literal, TargetBody).map((fault) => lineOf(fault, literal));
}

/** The seconds of a duration such as `5m`; undefined if it is none. */
export function secondsOf(duration: unknown): number | undefined {
  try {
    return parseDuration(String(duration)) / 1_000;
  } catch (error) {
    if (error instanceof ScheduleError) return undefined;
    throw error;
  }
}

function shapeFaults(literal: Literal, schema: typeof JobBody | typeof TargetBody): FieldFault[] {
  const { value } = literal;
  const parsed = schema.safeParse(value);
  if (parsed.success) return [];
  return faultsOf(parsed.error, { value, schema, readOnly: READ_ONLY_FIELDS }).filter(
    ({ parts, isUnknown }) => {
      const path = parts as Path;
      return !isToken(path, literal) && (isUnknown || !hasToken(path, literal));
    },
  );
}

function lineOf({ path, message }: Fault, literal: Literal): string {
  const value = valueAt(literal.value, path.split('.'));
  return value === undefined ? `${path}: ${message}` : `${path} = ${quoted(value)}: ${message}`;
}

/** Undefined fields are left out, as they are in JSON. */
function literalOf(job: unknown): Literal {
  const tokens: Path[] = [];
  const copy = (value: unknown, path: Path): unknown => {
    if (Token.isUnresolved(value)) {
      tokens.push(path);
      return IN_PLACE_OF_TOKEN;
    }
    if (Array.isArray(value)) return value.map((one, index) => copy(one, [...path, index]));
    if (typeof value !== 'object' || value === null) return value;
    const fields = Object.entries(value).filter(([, one]) => one !== undefined);
    return Object.fromEntries(fields.map(([key, one]) => [key, copy(one, [...path, key])]));
  };
  return { value: copy(job, []), tokens };
}

const startsWith = (path: Path, start: Path): boolean => start.every((part, index) => path[index] === part);
const isToken = (path: Path, { tokens }: Literal): boolean => tokens.some((token) => startsWith(path, token));
const hasToken = (path: Path, { tokens }: Literal): boolean =>
  tokens.some((token) => startsWith(token, path));
const isKnown = (path: Path, literal: Literal): boolean =>
  !isToken(path, literal) && !hasToken(path, literal);

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], value);

/** The faults of a definition whose shape is right, apart from its tokens. */
function meaningFaults(literal: Literal, rules: JobRules): Fault[] {
  const { config } = rules;
  const at = <Value>(...path: Path): Value | undefined =>
    hasToken(path, literal) ? undefined : (valueAt(literal.value, path) as Value | undefined);
  const tasks = Object.keys(valueAt(literal.value, ['workflow', 'tasks']) ?? {});
  const parts: Path[] = [[], ...tasks.map((id) => ['workflow', 'tasks', id])];
  return [
    ...scheduleFaults(at('schedule')),
    ...faultAt(['expectEvery'], faultOfExpectEvery(at('expectEvery'), config.retentionDays)),
    ...faultsOfLabels({
      runTags: at('runTags'),
      externalId: at('externalId'),
      workflow: at('workflow'),
    }),
    ...templateFaults(at('templates'), at('payload'), at('target'), at('targets')),
    ...(isKnown(['payload'], literal) && isKnown(['workflow', 'params'], literal)
      ? schemaFaults({
          payloadSchema: at('payloadSchema'),
          payload: at('payload'),
          templates: at('templates'),
          // A token in a task says nothing of the parameters.
          workflow: valueAt(literal.value, ['workflow']) as Workflow | undefined,
          schedule: at('schedule'),
        })
      : []),
    ...parts.flatMap((part) => [
      ...faultAt(
        [...part, 'pool'],
        config.pools && faultOfPool(at(...part, 'pool'), Object.keys(config.pools)),
      ),
      ...targetPathsIn(valueAt(literal.value, part)).flatMap((path) => {
        const isTemplate = part.length > 0 || (at('templates') === true && path[0] !== 'onEnd');
        return targetFaults([...part, ...path], at(...part, ...path), isTemplate, rules);
      }),
    ]),
  ];
}

const faultAt = (path: Path, message: string | undefined): Fault[] =>
  message === undefined ? [] : [{ path: path.join('.'), message }];

/** At any time: a stack is deployed again after its one-time jobs have run. */
const ANY_TIME_MS = 0;

function scheduleFaults(spec: ScheduleSpec | undefined): Fault[] {
  if (spec === undefined) return [];
  try {
    const context = { jobKey: 'project/job', changedAtMs: ANY_TIME_MS };
    validateSchedule(withoutCalendars(spec), context, ANY_TIME_MS);
    return [];
  } catch (error) {
    if (error instanceof ScheduleError)
      return faultAt(error.path ? ['schedule', error.path] : ['schedule'], error.message);
    throw error;
  }
}

/** Only the project knows its calendars. */
function withoutCalendars(spec: ScheduleSpec): ScheduleSpec {
  if (typeof spec === 'string' || (spec.type !== 'cron' && spec.type !== 'interval')) return spec;
  const { exclude, only, onExcluded, ...rest } = spec;
  const texts = exclude?.filter((one) => typeof one === 'string');
  const namesCalendars = only !== undefined || texts?.length !== exclude?.length;
  return {
    ...rest,
    ...(texts && { exclude: texts }),
    ...(onExcluded !== undefined && !namesCalendars && { onExcluded }),
  };
}

function templateFaults(templates: unknown, payload: unknown, target: unknown, targets: unknown): Fault[] {
  if (templates !== true) return [];
  const all = (targets as unknown[] | undefined) ?? (target === undefined ? [] : [target]);
  const stored = all.map((one) => TargetBody.parse(one));
  const job = { payload, ...(targets ? { targets: stored } : { target: stored[0] }) };
  return faultsOfJob(job, new Set(secretNamesOf(stored)));
}

/** Where the targets of a job, or of a task, are. */
const targetPathsIn = (part: unknown): Path[] => {
  const { target, targets, onEnd } = (part ?? {}) as {
    target?: unknown;
    targets?: unknown[];
    onEnd?: object;
  };
  return [
    ...(typeof target !== 'object' || target === null ? [] : [['target']]),
    ...(targets ?? []).map((_, index) => ['targets', index]),
    ...Object.keys(onEnd ?? {}).map((end) => ['onEnd', end]),
  ];
};

function targetFaults(path: Path, body: unknown, isTemplate: boolean, rules: JobRules): Fault[] {
  if (body === undefined) return [];
  const target = TargetBody.parse(body);
  if (target.type === 'http' && isSecretUrl(target)) return [];
  if (target.type === 'aws')
    return faultAt(
      [...path, 'action'],
      needsOfAction(target.action) ? undefined : 'is no action that targets may call',
    );
  const startWithin = target.type === 'worker' ? target : undefined;
  try {
    const type = targetTypeOf(target);
    const check = type.check(isTemplate ? sampleTarget(target) : target, rulesOfTargets(rules));
    return [
      ...faultAt([...path, type.field], check.ok ? undefined : check.message),
      ...faultAt([...path, 'startWithin'], faultOfStartWithin(startWithin, rules.config.retentionDays)),
    ];
  } catch (error) {
    if (error instanceof TemplateError) return faultAt([...path, 'url'], error.message);
    throw error;
  }
}

/** Some of the allowed resources are of the stack, so only the deployment knows them all. */
const rulesOfTargets = ({ config, deploymentName, project }: JobRules): TargetRules => ({
  targetPolicy: config.targetPolicy,
  allowedTargetHosts: config.allowedTargetHosts,
  project,
  awsTargets: {
    region: '',
    accountId: '',
    stackName: deploymentName,
    allowedArns: { [EVERY_PROJECT]: ['*'] },
    loopback: false,
    allowOverrides: true,
  },
});
