import { hash } from 'node:crypto';

import { SignatureV4 } from '@smithy/signature-v4';

import type { ServiceActions } from '../../../contracts/action-schemas';
import type { ActionTarget } from '../../../domain/target';
import { blockedCall, KEPT_BYTES, keptText, type TargetResult } from '../../../domain/target-result';
import { MAX_OUTPUT_BYTES } from '../../../domain/workflow/definition';
import { outputOfText } from '../../../domain/workflow/output';
import { checkAction, type CheckedAction } from '../../actions/check-action';
import type { AwsPolicy } from '../../aws-policy';
import type { Delivery } from '../../delivery';
import { Sha256 } from '../../sha256';
import { uriEncoded } from '../../uri-encoded';
import type { BoundRoleFor, Credentials } from '../assumed-roles';
import { failureOf } from '../aws-call';
import { exchange } from '../http';
import { retryAfterMsOf } from '../retry-after';
import { type EncodedCall, encodedCall } from './encode';
import { errorIn } from './error-in';

/** How targets of type `aws` are called. */
export interface ActionSettings {
  boundRoleFor: BoundRoleFor;
  /** Where all services are, in place of their own hosts. Absent: at those. */
  endpoint?: string | undefined;
}

interface ActionDeps extends ActionSettings {
  aws: AwsPolicy;
  nowMs: () => number;
}

/**
 * Calls an action once, under a session that may do nothing else. Whether the project may call it, and
 * whether its rendered input fits, is asked here too.
 */
export async function callAction(
  target: ActionTarget,
  delivery: Delivery,
  signal: AbortSignal,
  { aws, boundRoleFor, endpoint, nowMs }: ActionDeps,
): Promise<TargetResult> {
  const { project } = delivery;
  const id = delivery.headers['webhook-id'] ?? '';
  const check = checkAction(
    target,
    { awsTargets: aws, project },
    { isRendered: true, tokenFor: (path) => tokenOf(id, `${target.action} ${path}`) },
  );
  if (!check.ok) {
    const error = `target.${check.field ?? 'action'} ${check.message}`;
    return check.field === undefined ? blockedCall(error) : { outcome: 'fatal', reason: 'bad-input', error };
  }
  const role = boundRoleFor(project, check.action.rights);
  if (!role) return blockedCall('the deployment has no role for actions');
  const region = target.region ?? aws.region;
  try {
    const request = await encodedCall({
      ...{ service: check.action.service, action: check.action.operation, input: check.action.input },
      endpoint: new URL(endpoint ?? serviceUrl(check.action.service, region)),
      isShared: endpoint !== undefined,
    });
    const credentials = await role.credentials();
    const signed = await signedCall(request, check.action, { region, credentials, nowMs: nowMs() });
    return await resultOf(signed, delivery, signal, nowMs);
  } catch (error) {
    return failureOf(error, signal);
  }
}

/** A token is the same in all attempts, and another one for each execution and member. */
function tokenOf(deliveryId: string, of: string): string {
  const digits = hash('sha256', `${deliveryId} ${of}`, 'hex');
  return [0, 8, 12, 16, 20]
    .map((from, index, starts) => digits.slice(from, starts[index + 1] ?? 32))
    .join('-');
}

/** Where a service is in a region. */
export function serviceUrl({ host }: Pick<ServiceActions, 'host'>, region: string): string {
  const suffix = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  return `https://${host}.${region}.${suffix}`;
}

interface Signing {
  region: string;
  credentials: Credentials;
  nowMs: number;
}

async function signedCall(
  request: EncodedCall,
  { service }: CheckedAction,
  { region, credentials, nowMs }: Signing,
): Promise<EncodedCall> {
  const { hostname, port } = request;
  request.headers.host = port === undefined ? hostname : `${hostname}:${port}`;
  const signer = new SignatureV4({ service: service.signedAs, region, credentials, sha256: Sha256 });
  return (await signer.sign(request, { signingDate: new Date(nowMs) })) as EncodedCall;
}

/** The host follows from the catalogue alone, so it may have any address, as in a VPC with endpoints. */
const policyFor = (hostname: string) => ({ privateHosts: [hostname] });

async function resultOf(
  request: EncodedCall,
  { keepsOutput }: Delivery,
  signal: AbortSignal,
  nowMs: () => number,
): Promise<TargetResult> {
  const { body: given = '', method, headers: sent } = request;
  const answer = await exchange(
    { type: 'http', url: urlOf(request), method: method as 'POST', headers: {}, timeout: '' },
    { body: bytesOf(given as string | Uint8Array), headers: withoutLength(sent) },
    signal,
    { policy: policyFor(request.hostname), nowMs },
    () => ({ enough: KEPT_BYTES.ofFailure, wanted: MAX_OUTPUT_BYTES + 1 }),
  );
  const { status: statusCode, headers, body } = answer;
  const text = body.toString('utf8');
  if (statusCode >= 200 && statusCode < 300)
    return {
      ...{ outcome: 'succeeded', statusCode, body: keptText(body, 'ofSuccess') },
      ...(keepsOutput && { output: outputOfText(text) }),
    };
  const retryAfterMs = retryAfterMsOf(headers['retry-after'], nowMs());
  return {
    ...failureOf(errorIn({ statusCode, headers, text }), signal),
    body: keptText(body, 'ofFailure'),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

const bytesOf = (body: string | Uint8Array): Buffer =>
  typeof body === 'string' ? Buffer.from(body) : Buffer.from(body.buffer, body.byteOffset, body.byteLength);

const withoutLength = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'content-length'));

function urlOf({ protocol, hostname, port, path, query = {} }: EncodedCall): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value ?? ''].flat().map((one) => `${uriEncoded(name)}=${uriEncoded(one ?? '')}`),
  );
  const host = port === undefined ? hostname : `${hostname}:${port}`;
  return `${protocol}//${host}${path}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`;
}
