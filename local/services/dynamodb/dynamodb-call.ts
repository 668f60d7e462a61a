/** One operation of the DynamoDB API, from inside the local run. Throws what the service answers as an error. */
export type DynamoDbCall = (action: string, input: object) => Promise<Record<string, unknown>>;
