import { type Execution, isTerminal } from '../../client/browser';

/**
 * The end that an execution has reached, as part of the key of what is read of it; null: it goes on. After a
 * retry it ends once more, and what was read after its first end does not count.
 */
export const endOf = ({ status, finishedAt }: Pick<Execution, 'status' | 'finishedAt'>): string | null =>
  isTerminal({ status }) ? finishedAt : null;
