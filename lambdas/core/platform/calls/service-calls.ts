import type { IncomingMessage } from 'node:http';

import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { getEndpointFromInstructions } from '@smithy/core/endpoints';
import { HttpRequest } from '@smithy/core/protocols';

import { lazy } from '../../async/cached';
import { MINUTE_MS } from '../../clock/clock';
import { systemClock } from '../../clock/system-clock';
import { withRetries } from './retries';
import { requestSigner } from './signature';

/** What all operations of a service have in common. */
interface Service {
  /** As the signature names it. */
  signingName: string;
  /** Before the operation in `x-amz-target`. */
  target: string;
}

export interface CallOptions {
  abortSignal?: AbortSignal;
  /** The request is signed at once, and leaves when this resolves. If it rejects, the call fails so. */
  heldUntil?: Promise<void>;
}

/** Calls an operation. @param body its input as JSON text @returns its output as parsed JSON */
type ServiceCall = (
  operation: string,
  body: string,
  options?: CallOptions,
) => Promise<Record<string, unknown>>;

/** The SDK corrects its clock from this much on, and then sends again. */
const SKEW_MS = 4 * MINUTE_MS;
/** After a longer wait, as of a process that was frozen, the SDK no longer believes a response's time. */
const BELIEVED_WITHIN_MS = 15 * MINUTE_MS;

const ENDPOINT_PARAMETERS = {
  getEndpointParameterInstructions: () => ({
    Endpoint: { type: 'builtInParams' as const, name: 'endpoint' },
    Region: { type: 'builtInParams' as const, name: 'region' },
    UseDualStack: { type: 'builtInParams' as const, name: 'useDualstackEndpoint' },
    UseFIPS: { type: 'builtInParams' as const, name: 'useFipsEndpoint' },
  }),
};

/**
 * Calls operations of one client of the SDK at a seventh of its processor time. The request is signed and
 * sent here, without the middleware stack of the client. All else is the client's: credentials, region,
 * endpoint, HTTP handler with its sockets and time-outs, retry strategy and clock correction.
 *
 * @throws ServiceError if the service responds with an error; errors of the HTTP handler as they are. Each
 * has the number of tries in `$metadata.attempts`.
 */
export function serviceCalls(client: DynamoDBClient | SQSClient, service: Service): ServiceCall {
  const { config } = client;
  const prepared = lazy(() => prepare(client, service));

  const send = async (operation: string, body: string, { abortSignal, heldUntil }: CallOptions) => {
    const [{ endpoint, sign }, credentials] = await Promise.all([prepared(), config.credentials()]);
    const offsetMs = config.systemClockOffset;
    const sentAtMs = systemClock.nowMs();
    const headers = sign(
      {
        path: endpoint.path,
        headers: {
          host: endpoint.host,
          'content-type': 'application/x-amz-json-1.0',
          'x-amz-target': `${service.target}.${operation}`,
        },
        body,
      },
      credentials,
      sentAtMs + offsetMs,
    );
    headers['content-length'] = String(Buffer.byteLength(body));
    headers['user-agent'] = 'quarterjack';
    // By its trace, Lambda finds functions that call each other in a loop.
    const traceId = process.env._X_AMZN_TRACE_ID;
    if (traceId) headers['x-amzn-trace-id'] = traceId;
    const request = new HttpRequest({ ...endpoint, method: 'POST', headers, body });
    if (heldUntil) await heldUntil;
    const { response } = await config.requestHandler.handle(request, { abortSignal });
    const output = await readOutput(response);
    const corrected = correctClock(output, { offsetMs, sentAtMs });
    if (output.statusCode < 300) return output.body;
    const error = new ServiceError(output);
    if (corrected) error.$metadata.clockSkewCorrected = true;
    throw error;
  };

  /** Takes the service's clock for the next signatures. Returns whether that may mend a rejected one. */
  const correctClock = (
    { headers }: ServiceOutput,
    { offsetMs, sentAtMs }: { offsetMs: number; sentAtMs: number },
  ): boolean => {
    const serviceMs = headers.age === undefined ? Date.parse(headers.date ?? '') : NaN;
    const nowMs = systemClock.nowMs();
    if (Number.isNaN(serviceMs) || nowMs - sentAtMs > BELIEVED_WITHIN_MS) return false;
    config.systemClockOffset = serviceMs - nowMs;
    return Math.abs(config.systemClockOffset) >= SKEW_MS && config.systemClockOffset !== offsetMs;
  };

  return (operation, body, options = {}) =>
    withRetries(config, options.abortSignal, () => send(operation, body, options));
}

/** Endpoint and region are fixed for the life of a client. */
async function prepare({ config }: DynamoDBClient | SQSClient, { signingName }: Service) {
  const [{ url }, region] = await Promise.all([
    getEndpointFromInstructions({}, ENDPOINT_PARAMETERS, config as DynamoDBClient['config'], {}),
    config.region(),
  ]);
  const { protocol, hostname, port, host, pathname } = url;
  const path = pathname.endsWith('/') ? pathname : `${pathname}/`;
  const endpoint = { protocol, hostname, port: port === '' ? undefined : Number(port), host, path };
  return { endpoint, sign: requestSigner(region, signingName) };
}

interface ServiceOutput {
  statusCode: number;
  headers: Record<string, string>;
  body: Record<string, unknown>;
}

/** @throws the connection's error if it ends before the body does; SyntaxError for a 2xx that is no JSON */
async function readOutput(response: {
  statusCode: number;
  headers: Record<string, string>;
  body?: unknown;
}): Promise<ServiceOutput> {
  const { statusCode, headers } = response;
  const text = await textOfStream(response.body as IncomingMessage);
  return { statusCode, headers, body: statusCode < 300 ? parse(text) : parseError(text) };
}

const textOfStream = (stream: IncomingMessage): Promise<string> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => resolve(Buffer.concat(chunks).toString()));
    stream.on('error', reject);
  });

const parse = (text: string) => (text === '' ? {} : (JSON.parse(text) as Record<string, unknown>));

function parseError(text: string): Record<string, unknown> {
  try {
    return parse(text);
  } catch {
    return {}; // a proxy's page: the status says enough
  }
}

/** A response with an error. */
interface ErrorOutput {
  statusCode: number;
  headers: Readonly<Record<string, string>>;
  /** Parsed, or empty if it is not JSON: a proxy may answer with a page. */
  body: Readonly<Record<string, unknown>>;
}

/**
 * An error that a service of AWS responded with. Name and attributes are those that the SDK gives to such an
 * error. Its rules for retries, and those of the stages, therefore read both alike.
 */
class ServiceError extends Error {
  readonly $metadata: { httpStatusCode: number; requestId?: string; clockSkewCorrected?: true };
  readonly $fault: 'client' | 'server';
  /** The row that failed a condition, in DynamoDB's own notation. */
  readonly Item?: unknown;

  constructor({ statusCode, headers, body }: ErrorOutput) {
    super(textOf(body.message) ?? textOf(body.Message) ?? `status ${statusCode}`);
    this.name = nameIn(headers['x-amzn-errortype'] ?? textOf(body.__type)) ?? 'UnknownError';
    this.$metadata = { httpStatusCode: statusCode, requestId: headers['x-amzn-requestid'] };
    this.$fault = statusCode >= 500 ? 'server' : 'client';
    if (body.Item !== undefined) this.Item = body.Item;
  }
}

/** `com.amazonaws.dynamodb.v20120810#ThrottlingException:http://…` has the name after the `#`. */
const nameIn = (type: string | undefined): string | undefined =>
  type?.split(',')[0]!.split(':')[0]!.split('#').at(-1);

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
