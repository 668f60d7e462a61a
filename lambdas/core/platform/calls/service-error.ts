/** A response with an error. */
export interface ErrorOutput {
  statusCode: number;
  headers: Readonly<Record<string, string>>;
  /** Parsed, or empty if it is no JSON: a proxy may answer with a page. */
  body: Readonly<Record<string, unknown>>;
}

/**
 * An error that a service of AWS responded with. Name and attributes are those that the SDK gives to such an
 * error. Its rules for retries, and those of the stages, therefore read both alike.
 */
export class ServiceError extends Error {
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
