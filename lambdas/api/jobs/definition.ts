import type { JobBody } from '../../core/http/job';
import { MAX_PAYLOAD_BYTES } from '../../core/http/job';
import { type JobDefinition, type MisfirePolicy, targetsOf } from '../../core/domain/job';
import type { HttpTarget, Target } from '../../core/domain/target';
import type { ScheduleSpec } from '../../core/schedule/spec';
import { hostOf, isLoopbackHost, checkUrl, type UrlCheck } from '../../core/delivery/address-policy';
import { onceEach, rejectionOf } from '../../core/delivery/checked-lookup';
import { targetTypeOf } from '../../core/delivery/targets/registry';
import { conflict, type FieldError, invalid, tooLarge } from '../http/problem';
import type { ApiDeps, ApiRequest, ApiSettings } from '../request';

/** What a validated body says, completed by the defaults that depend on its other fields. */
export function definitionOf(body: JobBody): JobDefinition {
  const { jobId: _, target: given, targets, misfire, ...definition } = body;
  const target = (targets?.[0] ?? given)!; // the schema asks for one of them
  return {
    ...definition,
    target,
    ...(targets && { targets }),
    misfire: { ...misfire, policy: misfire.policy ?? defaultMisfire(body.schedule) },
  };
}

/** One-time jobs run however late; of a recurring one's missed occurrences the last runs. */
export const defaultMisfire = (spec: ScheduleSpec): MisfirePolicy =>
  isOneTime(spec) ? 'fire-now' : 'fire-once';

const isOneTime = (spec: ScheduleSpec): boolean =>
  typeof spec === 'string' ? spec.startsWith('at(') : spec.type === 'at' || spec.type === 'delay';

type NameDeps = Pick<ApiDeps, 'settings' | 'resolve'>;

/**
 * What a schema cannot judge: it depends on this deployment, on who asks, and on where names lead. Throws `ProblemError` 400 or
 * 413. Takes as long as the names do, hence call it before what must not be old by then.
 */
export async function checkDefinition(
  definition: JobDefinition,
  request: ApiRequest,
  deps: NameDeps,
): Promise<void> {
  checkPayload(definition.payload);
  const { pool } = definition;
  const { settings } = deps;
  const once = { settings, resolve: onceEach(deps.resolve) };
  const judged = targetsOf(definition).map(async (target, index) => {
    const path = definition.targets ? `targets.${index}` : 'target';
    const faults = checkTarget(target, path, definition.payload, request, settings);
    return faults.length > 0 ? faults : checkName(target, path, once);
  });
  const errors = (await Promise.all(judged)).flat();
  if (!settings.pools.includes(pool)) {
    errors.push({ path: 'pool', message: `${JSON.stringify(pool)} is none of ${settings.pools.join(', ')}` });
  }
  if (errors.length > 0) throw invalid(errors);
}

function checkTarget(
  target: Target,
  path: string,
  payload: unknown,
  request: ApiRequest,
  settings: ApiSettings,
): FieldError[] {
  const errors: FieldError[] = [];
  const type = targetTypeOf(target);
  const check = type.check(target, settings);
  if (!check.ok) errors.push({ path: `${path}.${type.field}`, message: check.message });
  const payloadFault = payload === undefined ? undefined : type.payloadFault?.(payload);
  if (payloadFault) errors.push({ path: 'payload', message: payloadFault });
  if (target.type !== 'http') return errors;
  if (check.ok && isOwn(new URL(target.url), request))
    errors.push({ path: `${path}.url`, message: 'must not lead to this API itself' });
  for (const [name, value] of Object.entries(target.headers)) {
    if (!carriesOwnToken(value, request)) continue;
    errors.push({ path: `${path}.headers.${name}`, message: 'must not be your own token for this API' });
  }
  return errors;
}

const checkHttp = ({ url }: HttpTarget, { targetPolicy, allowedTargetHosts }: ApiSettings): UrlCheck =>
  checkUrl(url, targetPolicy, allowedTargetHosts);

/** Each delivery judges its name's addresses; what is plain now is better said now. */
async function checkName(
  target: Target,
  path: string,
  { settings, resolve }: NameDeps,
): Promise<FieldError[]> {
  const name = nameToResolve(target, settings);
  const message = name && (await rejectionOf(name, settings.targetPolicy, resolve));
  return message ? [{ path: `${path}.url`, message }] : [];
}

/** The host of a target that only a name server can say the addresses of; the names of this machine are known. */
function nameToResolve(target: Target, settings: ApiSettings): string | undefined {
  const check = target.type === 'http' ? checkHttp(target, settings) : undefined;
  if (!check?.ok || !check.resolve) return undefined;
  const host = hostOf(check.url);
  return isLoopbackHost(host) ? undefined : host;
}

/** Begins to ask for what `checkDefinition` will want to know: with a `resolve` that asks `onceEach`, it waits less. */
export function resolveAhead(definition: JobDefinition, { settings, resolve }: NameDeps): void {
  for (const target of targetsOf(definition)) {
    const name = nameToResolve(target, settings);
    if (name) resolve(name).catch(() => undefined); // whoever asks in earnest is told as well
  }
}

/**
 * Whether a URL leads to the host that this request came to. Ports of a public host are all its own; those of this machine
 * are servers of their own, whichever of its names and addresses they are called by.
 */
function isOwn(url: URL, { headers }: ApiRequest): boolean {
  const text = `http://${headers.host}`;
  if (headers.host === undefined || !URL.canParse(text)) return false;
  const own = new URL(text);
  if (!isLoopbackHost(hostOf(own))) return hostOf(url) === hostOf(own);
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  // a Host without a port does not say whether it was called by http or https
  const ownPorts = own.port ? [own.port] : ['80', '443'];
  return isLoopbackHost(hostOf(url)) && ownPorts.includes(port);
}

/**
 * To be asked before a job that is stored is set going: its target may have been judged under another name of this API.
 * Throws `ProblemError` 409.
 */
export function checkNotOwn(job: Pick<JobDefinition, 'target' | 'targets'>, request: ApiRequest): void {
  for (const target of targetsOf(job))
    if (target.type === 'http' && URL.canParse(target.url) && isOwn(new URL(target.url), request))
      throw conflict(`the job's target leads to this API itself: ${target.url}`);
}

/** Throws `ProblemError` 413. */
export function checkPayload(payload: unknown): void {
  if (payload === undefined) return;
  const bytes = Buffer.byteLength(JSON.stringify(payload));
  if (bytes <= MAX_PAYLOAD_BYTES) return;
  throw tooLarge('payload', `must have at most ${MAX_PAYLOAD_BYTES} bytes as JSON, not ${bytes}`);
}

/** A token handed on to a target would let it act as its user. */
function carriesOwnToken(value: string, { headers }: ApiRequest): boolean {
  const token = headers.authorization?.replace(/^Bearer +/i, '').trim();
  return token !== undefined && token !== '' && value.includes(token);
}
