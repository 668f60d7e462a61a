import type { ExecutionQueue } from './execution-queue';

/** The queues of a function that may send to none of them. */
export const SENDS_NOTHING: ExecutionQueue = {
  send: () => Promise.reject(new Error('this function sends no executions')),
  has: () => false,
  backlog: () => Promise.reject(new Error('this function reads no queue')),
};
