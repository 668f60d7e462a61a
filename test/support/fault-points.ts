import type { Call } from './dynamo/memory-dynamo';

/** Requests at which tests let a fault strike, recognised by the expressions of the stores. */

const update = ({ input }: Call): string => (input.UpdateExpression as string | undefined) ?? '';

/** The write that starts an attempt. */
export const isClaim = (call: Call): boolean => update(call).includes('#claimId = :claimId');

export const isUserRetry = (call: Call): boolean => update(call).includes('#userRetries = :userRetries');

export const isOverlapLockAcquisition = (call: Call): boolean => update(call).startsWith('SET #holder = ');

export const isOverlapLockRelease = (call: Call): boolean => update(call).startsWith('REMOVE #holder,');

export const isOrderingKeyAcquisition = (call: Call): boolean =>
  update(call).startsWith('SET #execId = :execId, #jobKey');

/** A write of one whole row: a job, an entry. */
export const isPut = ({ command, input }: Call, table: string): boolean =>
  command === 'PutCommand' && input.TableName === table;
