import { QuarterjackError } from '../errors';
import { Listing } from '../listing';
import type { Execution, RunRequest } from '../types';
import { durationMs } from '../worker/duration';
import type { RunCalls } from './connections';

/** A run that a tested job has asked for. */
export interface FollowUp {
  jobId: string;
  payload: unknown;
  dueAt: Date;
  key?: string;
}

/** Takes the place of the API in a test: runs are recorded, and none of them is executed. */
export function recordingApi(followUps: FollowUp[], now: () => Date): RunCalls {
  const indexOf = (jobId: string, key: string | undefined) =>
    key === undefined ? -1 : followUps.findIndex((one) => one.jobId === jobId && one.key === key);
  const record = (jobId: string, { payload, key, onExisting, ...asked }: RunRequest = {}): Execution => {
    const one = { jobId, payload, dueAt: dueAtOf(asked, now()), ...(key !== undefined && { key }) };
    const at = indexOf(jobId, key);
    if (at < 0) followUps.push(one);
    else if (onExisting === 'replace') followUps[at] = one;
    return executionOf(followUps[at] ?? one, at < 0);
  };
  return {
    jobs: {
      run: async (jobId, body) => record(jobId, body),
      runMany: async (jobId, runs) =>
        runs.map((body, index) => ({ index, status: 202, execution: record(jobId, body) })),
      async cancelRun(jobId, key) {
        const at = indexOf(jobId, key);
        if (at < 0) return { outcome: 'unknown' };
        followUps.splice(at, 1);
        return { outcome: 'cancelled' };
      },
    },
    executions: {
      list: () => new Listing(() => Promise.resolve({ items: [], nextCursor: null })),
      wait: () =>
        Promise.reject(new QuarterjackError('testJob executes no follow-up: there is no end to wait for')),
    },
  };
}

function dueAtOf({ at, delay }: RunRequest, now: Date): Date {
  if (at !== undefined) return new Date(Math.max(now.getTime(), Date.parse(at)));
  return new Date(now.getTime() + (durationMs(delay ?? '0s') ?? 0));
}

/** What an answer of the API has of it. */
const executionOf = ({ jobId, dueAt, key }: FollowUp, created: boolean): Execution =>
  ({ jobId, execId: `${dueAt.toISOString()}.test`, dueAt: dueAt.toISOString(), key, created }) as Execution;
