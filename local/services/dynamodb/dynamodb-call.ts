import type { Dynalite } from './dynalite-thread';

/**
 * Calls an operation of the DynamoDB API. Throws an error response as an Error whose name is the error type.
 */
export type DynamoDbCall = (action: string, input: object) => Promise<Record<string, unknown>>;

export const dynamoDbCall =
  (send: Dynalite['send']): DynamoDbCall =>
  async (action, input) => {
    const { status, body } = await send(action, JSON.stringify(input));
    const output = JSON.parse(body) as Record<string, unknown>;
    if (status === 200) return output;
    const type = String(output.__type).replace(/^.*#/, '');
    throw Object.assign(new Error(`${action}: ${type}: ${String(output.message ?? output.Message)}`), {
      name: type,
    });
  };
