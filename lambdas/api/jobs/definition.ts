import { defaultTimeout } from '../../core/http/delivery-fields';
import type { JobBody } from '../../core/http/job';
import { MAX_PAYLOAD_BYTES } from '../../core/domain/target-limits';
import { type JobDefinition, type MisfirePolicy, everyTargetOf, targetsOf } from '../../core/domain/job';
import { DEFAULT_MAX_AGE, errandAgeOf, storedPolicy } from '../../core/domain/retry-policy';
import { isErrandTarget } from '../../core/domain/long-call';
import type { HttpTarget, Target } from '../../core/domain/target';
import { faultOfExpectEvery } from '../../core/domain/expectation';
import { faultOfStartWithin, workerTargetOf } from '../../core/domain/work';
import type { ScheduleSpec } from '../../core/schedule/spec';
import { hostOf, isLoopbackHost, checkUrl, type UrlCheck } from '../../core/delivery/address-policy';
import { isPrivateHost, reachTo } from '../../core/delivery/addresses';
import { onceEach, rejectionOf } from '../../core/delivery/checked-lookup';
import { faultsOfJob, faultsOfLabels, sampleTarget } from '../../core/delivery/job-templates/check-job';
import { checkedUrl, faultsOfSecrets, type KnownSecrets } from '../../core/delivery/secrets/check-uses';
import { targetTypeOf } from '../../core/delivery/targets/registry';
import { secretNamesOfJob, urlWithoutSecrets } from '../../core/domain/target-secrets';
import { MAX_WORKFLOW_BYTES, type Workflow, type WorkflowRef } from '../../core/domain/workflow/definition';
import { checkOwnSchema } from './payload-schema';
import {
  faultsOfKey,
  faultsOfPool,
  faultsOfPrivateHosts,
  settingsFor,
  type Part,
  partsOf,
  targetPathOf,
} from './parts-of-definition';
import { workflowRefOf } from './workflow-versions';
import { calendarsOf } from '../calendars/calendars-of';
import { leadsToThisApi } from '../http/loop-guard';
import { type FieldError, invalid, tooLarge } from '../http/problem';
import type { ApiDeps, ApiRequest, ApiSettings } from '../request';
import type { CheckedDefinition } from './job-changes';

/** The definition in a validated body, with the defaults that depend on its other fields. */
export function definitionOf(body: JobBody): JobDefinition {
  const { jobId: _, target: given, targets, workflow, templates, retry, misfire, ...definition } = body;
  const target = targets?.[0] ?? given;
  const timeout = definition.timeout ?? defaultTimeout({ target, workflow });
  return {
    ...definition,
    ...(target && { target }),
    ...(targets && { targets }),
    ...(workflow && { workflow: workflowRefOf(workflow as Workflow) }),
    ...(templates && { templates }),
    retry: storedPolicy({ ...retry, maxAge: retry.maxAge ?? defaultMaxAge({ target, timeout }) }),
    timeout,
    misfire: { ...misfire, policy: misfire.policy ?? defaultMisfire(body.schedule) },
  };
}

/** Work whose end is waited for may be tried again after its whole time. */
export const defaultMaxAge = ({ target, timeout }: Pick<JobDefinition, 'timeout' | 'target'>): string =>
  isErrandTarget(target) ? errandAgeOf(timeout) : DEFAULT_MAX_AGE;

/** A one-time job runs however late. A recurring job runs the last of its missed occurrences. */
export const defaultMisfire = (spec: ScheduleSpec): MisfirePolicy =>
  isOneTime(spec) ? 'fire-now' : 'fire-once';

const isOneTime = (spec: ScheduleSpec): boolean =>
  typeof spec === 'string' ? spec.startsWith('at(') : spec.type === 'at' || spec.type === 'delay';

type NameDeps = Pick<ApiDeps, 'settings' | 'resolve'>;

/**
 * The definition with its calendars. Checks what a schema cannot: what depends on the deployment, on the
 * request, and on where host names lead. Throws `ProblemError` 400 or 413. Waits for name servers, so call it
 * before `startChange`.
 */
export async function checkDefinition(
  definition: JobDefinition,
  request: ApiRequest,
  deps: NameDeps & Pick<ApiDeps, 'secrets' | 'calendars' | 'concurrency' | 'retentionDays'>,
): Promise<CheckedDefinition> {
  checkPayload(definition.payload);
  checkSize(definition.workflow);
  const resolve = onceEach(deps.resolve);
  const parts = partsOf(definition);
  const known = await secretsOf(definition, request.project, deps.secrets);
  const checked = parts.map((part) => {
    const settings = settingsFor(part, request.project, deps.settings);
    return { part, settings, targets: checkSecrets(part, known, settings) };
  });
  const checks = checked.flatMap(({ part, settings, targets }) =>
    targets.map(async (target, index) => {
      const path = targetPathOf(part, index);
      const faults = checkTarget(target, path, part, request, settings);
      return faults.length > 0 ? faults : checkName(target, path, { settings, resolve });
    }),
  );
  const errors = [
    ...(await Promise.all(checks)).flat(),
    ...parts.flatMap((part) => faultsOfPool(part, deps.settings)),
    ...checked.flatMap(({ part, targets }) =>
      faultsOfPrivateHosts(part, targets, request.project, deps.settings),
    ),
    ...parts.flatMap((part) => faultsOfStart(part, deps)),
    ...faultsOfExpectation(definition, deps),
    ...faultsOfLabels(definition),
    ...(await faultsOfKey(definition, request.project, deps)),
  ];
  if (errors.length > 0) throw invalid(errors);
  const unchecked = await checkOwnSchema(definition);
  const calendars = await calendarsOf(definition.schedule, request.project, deps);
  return { ...definition, ...unchecked, ...(calendars.length > 0 && { calendars }) };
}

function faultsOfExpectation(
  { expectEvery }: JobDefinition,
  { retentionDays }: Pick<ApiDeps, 'retentionDays'>,
): FieldError[] {
  const message = faultOfExpectEvery(expectEvery, retentionDays);
  return message === undefined ? [] : [{ path: 'expectEvery', message }];
}

function faultsOfStart(part: Part, { retentionDays }: Pick<ApiDeps, 'retentionDays'>): FieldError[] {
  const message = faultOfStartWithin(workerTargetOf(part), retentionDays);
  return message === undefined ? [] : [{ path: `${targetPathOf(part, 0)}.startWithin`, message }];
}

/** Throws `ProblemError` 413. */
function checkSize(workflow: WorkflowRef | undefined): void {
  if (!workflow || workflow.bytes <= MAX_WORKFLOW_BYTES) return;
  throw tooLarge('workflow', `must have at most ${MAX_WORKFLOW_BYTES} bytes as JSON, not ${workflow.bytes}`);
}

/**
 * The targets to check: with sample values in the place of templates. Throws `ProblemError` 400 if a template
 * has a fault.
 */
function checkTemplates(part: Part, secretNames: ReadonlySet<string>): readonly Target[] {
  if (!part.templates) return everyTargetOf(part);
  const faults = faultsOfJob(part, secretNames, part.roots).map(({ path, message }) => ({
    path: part.path + path.replace(/^payload/, part.body),
    message,
  }));
  if (faults.length > 0) throw invalid(faults);
  if (part.body === 'input') checkInput(part);
  // What `onEnd` calls is no template.
  const own = targetsOf(part);
  return [...own.map(sampleTarget), ...everyTargetOf(part).slice(own.length)];
}

/** Throws `ProblemError` 413. */
function checkInput({ path, payload }: Part): void {
  const bytes = payload === undefined ? 0 : Buffer.byteLength(JSON.stringify(payload));
  if (bytes > MAX_PAYLOAD_BYTES)
    throw tooLarge(`${path}input`, `must have at most ${MAX_PAYLOAD_BYTES} bytes as JSON, not ${bytes}`);
}

/** The secrets that a definition names and that exist. Jobs without secrets read nothing. */
async function secretsOf(
  definition: JobDefinition,
  project: string,
  { get }: ApiDeps['secrets'],
): Promise<KnownSecrets> {
  const read = await Promise.all(secretNamesOfJob(definition).map((name) => get(project, name)));
  return new Map(read.flatMap((secret) => (secret ? [[secret.name, secret]] : [])));
}

/**
 * The targets to check: without templates and secrets. Throws `ProblemError` 400 if a template has a fault,
 * or if a secret does not exist, or may not go where the target leads.
 */
function checkSecrets(part: Part, known: KnownSecrets, settings: ApiSettings): readonly Target[] {
  const templated = checkTemplates(part, new Set(known.keys()));
  const errors = everyTargetOf(part).flatMap((target, index) =>
    faultsOfSecrets(target, known, settings).map(({ path, message }) => ({
      path: `${targetPathOf(part, index)}.${path}`,
      message,
    })),
  );
  if (errors.length > 0) throw invalid(errors);
  return templated.map((target) =>
    target.type === 'http' ? { ...target, url: checkedUrl(target, known) ?? target.url } : target,
  );
}

function checkTarget(
  target: Target,
  path: string,
  { payload, body, path: partPath, templates }: Part,
  request: ApiRequest,
  settings: ApiSettings,
): FieldError[] {
  const errors: FieldError[] = [];
  const type = targetTypeOf(target);
  const rules = { ...settings, project: request.project, ...(templates && { hasTemplates: templates }) };
  const check = type.check(target, rules);
  if (!check.ok) errors.push({ path: `${path}.${check.field ?? type.field}`, message: check.message });
  const payloadFault = payload === undefined ? undefined : type.payloadFault?.(payload);
  if (payloadFault) errors.push({ path: partPath + body, message: payloadFault });
  if (target.type === 'http') errors.push(...checkOwnUse(target, path, request, settings));
  return errors;
}

/** A target must neither lead to this API nor get the caller's token for it. */
function checkOwnUse(
  target: HttpTarget,
  path: string,
  request: ApiRequest,
  settings: ApiSettings,
): FieldError[] {
  const errors: FieldError[] = [];
  const check = checkHttpUrl(target, settings);
  if (check.ok && leadsToThisApi(check.url, request))
    errors.push({ path: `${path}.url`, message: 'must not lead to this API itself' });
  for (const [name, value] of Object.entries(target.headers)) {
    if (!containsOwnToken(value, request)) continue;
    errors.push({ path: `${path}.headers.${name}`, message: 'must not be your own token for this API' });
  }
  return errors;
}

const checkHttpUrl = (target: HttpTarget, { targetPolicy, allowedTargetHosts }: ApiSettings): UrlCheck =>
  checkUrl(urlWithoutSecrets(target), targetPolicy, allowedTargetHosts);

/**
 * Each delivery checks the addresses again. A name that leads to a forbidden address now is better rejected
 * now.
 */
async function checkName(
  target: Target,
  path: string,
  { settings, resolve }: NameDeps,
): Promise<FieldError[]> {
  const names = [
    { field: 'url', name: nameToResolve(target, settings) },
    { field: 'auth.tokenUrl', name: tokenNameToResolve(target, settings) },
  ];
  const errors = await Promise.all(
    names.map(async ({ field, name }) => {
      const message = name && (await rejectionOf(name, settings.targetPolicy, resolve));
      return message ? [{ path: `${path}.${field}`, message }] : [];
    }),
  );
  return errors.flat();
}

/**
 * The host of a target, if only a name server knows its addresses. Names of this machine and of private hosts
 * need no name server; those of a VPC are known there alone.
 */
const nameToResolve = (target: Target, settings: ApiSettings): string | undefined =>
  target.type === 'http' ? nameIn(checkHttpUrl(target, settings), settings) : undefined;

/** The host of a token endpoint, if only a name server knows its addresses. */
function tokenNameToResolve(target: Target, settings: ApiSettings): string | undefined {
  if (target.type !== 'http' || target.auth?.type !== 'oauth2') return undefined;
  const { targetPolicy, allowedTargetHosts } = settings;
  return nameIn(checkUrl(target.auth.tokenUrl, targetPolicy, allowedTargetHosts), settings);
}

function nameIn(check: UrlCheck, { targetPolicy }: ApiSettings): string | undefined {
  if (!check.ok || !check.resolve) return undefined;
  const host = hostOf(check.url);
  const isKnownHere =
    isLoopbackHost(host) || isPrivateHost(host, targetPolicy) || reachTo(host, targetPolicy);
  return isKnownHere ? undefined : host;
}

/**
 * Starts the lookups that `checkDefinition` will need. Both need the same `resolve`, one that asks
 * `onceEach`.
 */
export function resolveAhead(definition: JobDefinition, { settings, resolve }: NameDeps): void {
  for (const target of partsOf(definition).flatMap(everyTargetOf)) {
    const name = nameToResolve(target, settings);
    if (name) resolve(name).catch(() => undefined); // `checkDefinition` sees the same failure
  }
}

/** Throws `ProblemError` 413. */
export function checkPayload(payload: unknown): void {
  if (payload === undefined) return;
  const bytes = Buffer.byteLength(JSON.stringify(payload));
  if (bytes <= MAX_PAYLOAD_BYTES) return;
  throw tooLarge('payload', `must have at most ${MAX_PAYLOAD_BYTES} bytes as JSON, not ${bytes}`);
}

/** A token that is passed on to a target would let the target act as its user. */
function containsOwnToken(value: string, { headers }: ApiRequest): boolean {
  const token = headers.authorization?.replace(/^Bearer +/i, '').trim();
  return token !== undefined && token !== '' && value.includes(token);
}
