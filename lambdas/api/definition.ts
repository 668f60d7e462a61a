import type { JobBody } from '../core/contracts/http/job';
import { MAX_PAYLOAD_BYTES } from '../core/contracts/http/job';
import { type JobDefinition, type MisfirePolicy, targetsOf } from '../core/domain/job';
import type { Target } from '../core/domain/target';
import type { ScheduleSpec } from '../core/domain/schedule/spec';
import { judgeUrl } from '../core/targets/address-policy';
import { judgeAwsTarget, namedBy } from '../core/targets/aws-policy';
import { isObject } from './merge-patch';
import { conflict, type FieldError, invalid, tooLarge } from './problem';
import type { ApiDeps, ApiRequest, ApiSettings } from './request';

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

/** What a schema cannot judge: it depends on this deployment and on who asks. Throws `Problem` 400 or 413. */
export function checkDefinition(definition: JobDefinition, request: ApiRequest, { settings }: ApiDeps): void {
  checkPayload(definition.payload);
  const errors: FieldError[] = [];
  const { pool } = definition;
  for (const [index, target] of targetsOf(definition).entries()) {
    const path = definition.targets ? `targets.${index}` : 'target';
    errors.push(...judgeTarget(target, path, definition.payload, request, settings));
  }
  if (!settings.pools.includes(pool)) {
    errors.push({ path: 'pool', message: `${JSON.stringify(pool)} is none of ${settings.pools.join(', ')}` });
  }
  if (errors.length > 0) throw invalid(errors);
}

function judgeTarget(
  target: Target,
  path: string,
  payload: unknown,
  request: ApiRequest,
  settings: ApiSettings,
): FieldError[] {
  const errors: FieldError[] = [];
  if (target.type !== 'http') {
    const judgement = judgeAwsTarget(target, settings.awsTargets);
    if (!judgement.ok) errors.push({ path: `${path}.${namedBy(target).field}`, message: judgement.message });
    if (target.type === 'eventbridge' && payload !== undefined && !isObject(payload))
      errors.push({ path: 'payload', message: 'must be an object: it becomes the detail of an event' });
    return errors;
  }
  const judgement = judgeUrl(target.url, settings.targetPolicy, settings.allowedTargetHosts);
  if (!judgement.ok) errors.push({ path: `${path}.url`, message: judgement.message });
  else if (isOwn(judgement.url, request))
    errors.push({ path: `${path}.url`, message: 'must not lead to this API itself' });
  for (const [name, value] of Object.entries(target.headers)) {
    if (!carriesOwnToken(value, request)) continue;
    errors.push({ path: `${path}.headers.${name}`, message: 'must not be your own token for this API' });
  }
  return errors;
}

/**
 * Whether a URL leads to the host that this request came to. The dot of a fully qualified name changes nothing about
 * where it leads.
 */
const isOwn = ({ host }: URL, { headers }: ApiRequest): boolean =>
  host.replace(/\.(?=:|$)/, '') === headers.host?.toLowerCase();

/**
 * To be asked before a job that is stored is set going: its target may have been judged under another name of this API.
 * Throws `Problem` 409.
 */
export function checkNotOwn(job: Pick<JobDefinition, 'target' | 'targets'>, request: ApiRequest): void {
  for (const target of targetsOf(job))
    if (target.type === 'http' && URL.canParse(target.url) && isOwn(new URL(target.url), request))
      throw conflict(`the job's target leads to this API itself: ${target.url}`);
}

/** Throws `Problem` 413. */
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
