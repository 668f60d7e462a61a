/** A refusal of DynamoDB. Its name is the type of the exception. */
export class Refusal extends Error {
  constructor(
    override readonly name:
      | 'ConditionalCheckFailedException'
      | 'ResourceNotFoundException'
      | 'ValidationException',
    message: string,
    /** The row that does not meet a condition, if the request asks for it. */
    readonly item?: Record<string, unknown>,
  ) {
    super(message);
  }
}

/** A request that DynamoDB knows and this engine does not. */
export class Unsupported extends Error {}

export const invalid = (message: string): Refusal => new Refusal('ValidationException', message);
