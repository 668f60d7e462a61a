import { AsyncLocalStorage } from 'node:async_hooks';

import type { WriteCounter } from '../written-bytes';
import type { DocumentClient, Row } from './access';
import {
  BatchWriteCommand,
  type BatchWriteCommandInput,
  type DocumentCommand,
  PutCommand,
  type PutCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from './commands';

export interface CountedDocuments extends WriteCounter {
  documents: DocumentClient;
}

/**
 * What the work that runs now has written, by the client that it writes to. One storage for the process,
 * because Node.js visits every storage that was ever entered at every promise.
 */
const counts = new AsyncLocalStorage<{ documents: DocumentClient; bytes: number }>();

/**
 * All stores send through `documents`, so whatever the work writes counts: no store and no caller can forget
 * it. A write that was refused does not count. An update counts the values that it sends.
 */
export function countWritten(documents: DocumentClient): CountedDocuments {
  return {
    documents: {
      async send(command, options) {
        const output = await documents.send(command, options);
        const count = counts.getStore();
        if (count?.documents === documents) count.bytes += writtenBy(command);
        return output;
      },
    },
    async counting(work, done) {
      const count = { documents, bytes: 0 };
      try {
        return await counts.run(count, work);
      } finally {
        await done(count.bytes);
      }
    },
  };
}

function writtenBy(command: DocumentCommand<object, object>): number {
  if (command instanceof PutCommand) return bytesOf((command.input as PutCommandInput).Item!);
  if (command instanceof UpdateCommand) {
    const { Key, ExpressionAttributeValues = {} } = command.input as UpdateCommandInput;
    return bytesOf(Key!) + bytesOf(ExpressionAttributeValues);
  }
  if (!(command instanceof BatchWriteCommand)) return 0;
  const requests = Object.values((command.input as BatchWriteCommandInput).RequestItems ?? {}).flat();
  return requests.reduce((sum, request) => sum + bytesOf(request?.PutRequest?.Item ?? {}), 0);
}

/** About what DynamoDB keeps: names and values. */
const bytesOf = (row: Row): number => Buffer.byteLength(JSON.stringify(row));
