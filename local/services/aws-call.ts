import type { Refusal } from '../iam/access';

/** Who makes a call: a function of the stack under its role, or the operator of the local run. */
export interface Caller {
  accessKeyId: string;
  /** Logical id of the function; absent for the operator. */
  functionLogicalId: string | undefined;
  /** Its session's name in ARNs; absent for the operator. */
  functionName: string | undefined;
  /** Role that the template gives the function; absent for the operator. */
  roleArn: string | undefined;
}

/** One call of an AWS API. */
export interface AwsCall {
  caller: Caller;
  /** Operation without its service's prefix: `GetItem`. */
  action: string;
  /** Of the request; names what a REST call is about. */
  path: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** JSON text, or a form where the service speaks the query protocol. */
  body: string;
  /** Aborted when the client goes away before it has its answer. */
  signal: AbortSignal;
}

export interface AwsReply {
  status: number;
  headers: Record<string, string>;
  body: string | Buffer;
}

/** An IAM action, `dynamodb:GetItem`, and the ARN of what it is done to. */
export interface Permission {
  action: string;
  resource: string;
  /** Condition keys, in lower case, that the request has a value for beyond those of every call. */
  context?: Readonly<Record<string, string>>;
}

/** An embedded AWS service. `call` answers errors of the service as replies, and throws only for faults of its own. */
export interface AwsService {
  /** What comes before the operation in `X-Amz-Target`, with its dot: `DynamoDB_20120810.`. */
  targetPrefix: string;
  /** Of a REST service: the operation that method and path stand for; undefined where they are not its own. */
  operationOf?(method: string, path: string): string | undefined;
  /** Of a service that is asked by forms: the version of its API, which each form names. */
  queryVersion?: string;
  call(call: AwsCall): Promise<AwsReply>;
  /** All that a call must be allowed to do. Empty where that cannot be told: the call is then refused. */
  permissions(call: AwsCall): Permission[];
  /** How the service says that a call is not allowed. */
  denied(refusal: Refusal): AwsReply;
  stop(): Promise<void>;
}

/** An error in the shape that the SDKs read. */
export function awsError(status: number, type: string, message: string): AwsReply {
  return {
    status,
    headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amzn-errortype': type },
    body: JSON.stringify({ __type: type, message }),
  };
}
