import * as z from 'zod';

import type { Denial } from '../iam/access';
import type { Statement } from '../iam/policy';

/**
 * The caller of an AWS API: a function of the stack, or the operator of the local run. A function calls under
 * its own role, or under one that it has assumed.
 */
export interface Caller {
  accessKeyId: string;
  /** Logical id of the function; absent for the operator. */
  functionLogicalId: string | undefined;
  /** Name of the role session in ARNs; absent for the operator. That of a function is its name. */
  functionName: string | undefined;
  /** Role of the function, or an assumed role; absent for the operator. */
  roleArn: string | undefined;
  /** The role is not part of the stack, so its policies are unknown. */
  isExternal?: boolean;
  /** The policy of the session, if it was begun with one. */
  policy?: readonly Statement[] | undefined;
}

/** A call to an AWS API. */
export interface AwsCall {
  caller: Caller;
  /** Operation without the prefix of its service: `GetItem`. */
  action: string;
  /** Method of the request. */
  method?: string | undefined;
  /** Path of the request; in a REST API it names the resource. */
  path: string;
  /** The part of the URL behind the path. */
  query?: URLSearchParams;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** JSON, or form data for a service with the query protocol. */
  body: string;
  /** Aborted if the client disconnects before the response. */
  signal: AbortSignal;
}

export interface AwsReply {
  status: number;
  headers: Record<string, string>;
  body: string | Buffer;
}

/** An IAM action, such as `dynamodb:GetItem`, and the ARN of its resource. */
export interface Permission {
  action: string;
  resource: string;
  /** Further condition keys of the request, in lower case, besides those of every call. */
  context?: Readonly<Record<string, string>>;
}

/**
 * An embedded AWS service. `call` returns the service's errors as replies. It throws only if the emulation
 * fails.
 */
export interface AwsService {
  /** Prefix of the operation in `X-Amz-Target`, with its dot: `DynamoDB_20120810.`. */
  targetPrefix: string;
  /** Whether all calls of a caller are for it, whatever they ask for. */
  takes?(caller: Caller): boolean;
  /** For a REST API: the operation for a method and path; undefined if they belong to another service. */
  operationOf?(method: string, path: string): string | undefined;
  /** For the query protocol: the API version, which every form contains. */
  queryVersion?: string;
  call(call: AwsCall): Promise<AwsReply>;
  /** The permissions that a call needs. Empty if they are unknown; the call is then denied. */
  permissions(call: AwsCall): Permission[];
  /** The service's response to a call that is not permitted. */
  denied(denial: Denial): AwsReply;
  stop(): Promise<void>;
}

const parsed = new WeakMap<AwsCall, unknown>();

/** The body of a call as JSON. It is parsed once: permissions and service both read it. */
export function jsonOf(call: AwsCall): unknown {
  let json = parsed.get(call);
  if (json === undefined) parsed.set(call, (json = JSON.parse(call.body)));
  return json;
}

/** A successful response of a service with a JSON protocol. */
export const awsJson = (body: object, version: '1.0' | '1.1' = '1.0'): AwsReply => ({
  status: 200,
  headers: { 'content-type': `application/x-amz-json-${version}` },
  body: JSON.stringify(body),
});

/** A successful response of a REST API. */
export const restJson = (body: object): AwsReply => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** An error response in the format of the AWS SDKs. */
export function awsError(status: number, type: string, message: string): AwsReply {
  return {
    status,
    headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amzn-errortype': type },
    body: JSON.stringify({ __type: type, message }),
  };
}

/**
 * Reads bodies by a schema, for a service whose error of a bad body is of this type. What does not fit is
 * answered with that error.
 */
export const readingWith =
  (badBody: string) =>
  <Schema extends z.ZodType>(schema: Schema, run: (input: z.output<Schema>) => AwsReply) =>
  (body: unknown): AwsReply => {
    const parsed = schema.safeParse(body);
    return parsed.success ? run(parsed.data) : awsError(400, badBody, z.prettifyError(parsed.error));
  };
