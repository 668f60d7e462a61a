import type * as lib from '@aws-sdk/lib-dynamodb';

/**
 * The requests of the stores. Their inputs and outputs are those of the SDK's document client, with plain
 * values. The classes are the project's own. Those of the SDK build a middleware stack for each request.
 */
export abstract class DocumentCommand<Input extends object, Output extends object> {
  /** DynamoDB's name. A class name would not survive the bundler. */
  abstract readonly operation: string;
  /** Never set: it tells the type of the output, which has no `$metadata`. */
  declare readonly output?: Omit<Output, '$metadata'>;

  constructor(readonly input: Input) {}
}

export type PutCommandInput = lib.PutCommandInput;
export type UpdateCommandInput = lib.UpdateCommandInput;
export type DeleteCommandInput = lib.DeleteCommandInput;
export type QueryCommandInput = lib.QueryCommandInput;
export type ScanCommandInput = lib.ScanCommandInput;
export type BatchGetCommandInput = lib.BatchGetCommandInput;
export type BatchWriteCommandInput = lib.BatchWriteCommandInput;

export class GetCommand extends DocumentCommand<lib.GetCommandInput, lib.GetCommandOutput> {
  override readonly operation = 'GetItem';
}

export class PutCommand extends DocumentCommand<PutCommandInput, lib.PutCommandOutput> {
  override readonly operation = 'PutItem';
}

export class UpdateCommand extends DocumentCommand<UpdateCommandInput, lib.UpdateCommandOutput> {
  override readonly operation = 'UpdateItem';
}

export class DeleteCommand extends DocumentCommand<DeleteCommandInput, lib.DeleteCommandOutput> {
  override readonly operation = 'DeleteItem';
}

export class QueryCommand extends DocumentCommand<QueryCommandInput, lib.QueryCommandOutput> {
  override readonly operation = 'Query';
}

export class ScanCommand extends DocumentCommand<ScanCommandInput, lib.ScanCommandOutput> {
  override readonly operation = 'Scan';
}

export class BatchGetCommand extends DocumentCommand<BatchGetCommandInput, lib.BatchGetCommandOutput> {
  override readonly operation = 'BatchGetItem';
}

export class BatchWriteCommand extends DocumentCommand<BatchWriteCommandInput, lib.BatchWriteCommandOutput> {
  override readonly operation = 'BatchWriteItem';
}
