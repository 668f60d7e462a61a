import { parseFunctionArn } from '../../core/delivery/arn';
import type { AttemptRecord } from '../../core/domain/execution';
import { errorClassOf } from '../../core/domain/fingerprint';
import { parseUrl } from '../../core/domain/parse-url';
import { addressOf, type HttpTarget, type Target } from '../../core/domain/target';
import { putSecretsInto } from '../../core/domain/secret-reference';
import { type AttributeValue, SpanKind } from '../../core/telemetry/otlp';

/** What a span says of the call of a target, by the semantic conventions of OpenTelemetry. */
export interface CallSpan {
  name: string;
  kind: number;
  attributes: Record<string, AttributeValue>;
}

const SECRET = 'REDACTED';
const TEMPLATE = /\{\{\s*([^{}]*?)\s*\}\}/g;

/**
 * Names and attributes of a call. They hold no payload, no secret and no text of the target.
 *
 * @param target by the job as it is now. Undefined: the job is gone, or has no such target.
 */
export function callSpanOf(target: Target | undefined, record: AttemptRecord): CallSpan {
  const { name, kind, attributes } = target ? ofTarget(target, record) : UNKNOWN;
  const { attempt, fence, outcome, worker, errand } = record;
  return {
    name,
    kind,
    attributes: {
      ...attributes,
      'error.type': errorTypeOf(record),
      'quarterjack.attempt': attempt,
      'quarterjack.fence': fence,
      'quarterjack.outcome': outcome,
      'quarterjack.target': record.target,
      'quarterjack.target.type': target?.type,
      'quarterjack.worker': worker,
      'quarterjack.errand.type': errand?.type,
    },
  };
}

const UNKNOWN: CallSpan = { name: 'attempt', kind: SpanKind.internal, attributes: {} };

/** Whether an attempt counts as failed. One that was cancelled did not. */
export const hasFailed = ({ outcome }: Pick<AttemptRecord, 'outcome'>): boolean =>
  outcome === 'retriable' || outcome === 'fatal' || outcome === 'lost';

/** The class of the error, of a closed list, or the status code. Undefined: the attempt has not failed. */
export function errorTypeOf(record: AttemptRecord): string | undefined {
  if (!hasFailed(record)) return undefined;
  const errorClass = errorClassOf(record);
  return errorClass === 'status' ? String(record.statusCode) : errorClass;
}

function ofTarget(target: Target, record: AttemptRecord): CallSpan {
  switch (target.type) {
    case 'http':
      return ofHttp(target, record);
    case 'lambda': {
      const { name, region } = parseFunctionArn(target.functionArn) ?? {};
      const provider = { 'faas.invoked_provider': 'aws', 'faas.invoked_region': region };
      const attributes = { 'faas.invoked_name': name, ...provider };
      return { name: name ?? 'lambda', kind: SpanKind.client, attributes };
    }
    case 'sqs':
      return ofMessage('aws_sqs', lastPartOf(target.queueUrl, '/'));
    case 'sns':
      return ofMessage('aws.sns', lastPartOf(target.topicArn, ':'));
    case 'worker':
      return {
        name: `work ${target.queue}`,
        kind: SpanKind.internal,
        attributes: { 'quarterjack.queue': target.queue },
      };
    case 'monitor':
      return { name: 'ping', kind: SpanKind.internal, attributes: {} };
    case 'eventbridge':
    case 'stepfunctions':
    case 'ecs':
    case 'batch':
    case 'glue':
    case 'codebuild':
    case 'aws':
    case 'email':
    case 'pagerduty':
    case 'incident-io':
      return {
        name: target.type,
        kind: SpanKind.client,
        attributes: { 'quarterjack.address': addressOf(target) },
      };
  }
}

const lastPartOf = (text: string, separator: string): string => text.slice(text.lastIndexOf(separator) + 1);

const ofMessage = (system: string, destination: string): CallSpan => ({
  name: `send ${destination}`,
  kind: SpanKind.producer,
  attributes: {
    'messaging.system': system,
    'messaging.operation.name': 'send',
    'messaging.operation.type': 'send',
    'messaging.destination.name': destination,
  },
});

function ofHttp({ method, url }: HttpTarget, { attempt, statusCode, host }: AttemptRecord): CallSpan {
  const known = parseUrl(putSecretsInto(url, () => SECRET).replaceAll(TEMPLATE, '{$1}'));
  // Where it was called counts, also if the job has another URL by now.
  const called = host === undefined ? known : parseUrl(`${known?.protocol ?? 'https:'}//${host}`);
  const isSame = host === undefined || host === known?.host;
  return {
    name: method,
    kind: SpanKind.client,
    attributes: {
      'http.request.method': method,
      'url.full': known && isSame ? urlTextOf(known) : undefined,
      'server.address': called?.hostname,
      'server.port': called && portOf(called),
      'http.response.status_code': statusCode,
      'http.request.resend_count': attempt > 1 ? attempt - 1 : undefined,
    },
  };
}

/** Without query, fragment and user. Names of templates are readable. */
const urlTextOf = ({ protocol, host, pathname }: URL): string =>
  `${protocol}//${host}${pathname}`.replaceAll('%7B', '{').replaceAll('%7D', '}');

const portOf = ({ port, protocol }: URL): number =>
  port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port);
