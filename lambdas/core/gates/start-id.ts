import { createHash } from 'node:crypto';

import type { ExecutionRef } from '../store/execution-store';

const BYTES = 6;

/** Names the start of an execution in the log; a user retry starts it again. Short: a row holds many. */
export const startIdOf = ({
  jobKey,
  execId,
  userRetries = 0,
}: ExecutionRef & { userRetries?: number }): string =>
  createHash('sha256')
    .update(`${jobKey}#${execId}#${userRetries}`)
    .digest()
    .subarray(0, BYTES)
    .toString('base64url');
