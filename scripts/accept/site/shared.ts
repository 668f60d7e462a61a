import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import type { LambdaClient } from '@aws-sdk/client-lambda';

import { type ApiCall, apiInvoker, type ApiResult } from '../../../lambdas/core/platform/api-function';
import { repeated } from '../repeat';
import { acceptIdentity } from './identity';

/** What every site has: a clock, a name of the run, what was measured, and what is to be undone. */
export function sharedOf(
  apiFunction: string,
  lambda: Pick<LambdaClient, 'send'>,
  sleepFor: (ms: number) => Promise<void> = (ms) => sleep(ms),
) {
  const measured = new Map<string, Promise<unknown>>();
  const undos: (() => Promise<void>)[] = [];
  return {
    nowMs: () => Date.now(),
    sleep: sleepFor,
    startMs: Date.now(),
    run: randomBytes(3).toString('hex'),
    api(call: ApiCall, project = 0): Promise<ApiResult> {
      const invoke = apiInvoker(apiFunction, acceptIdentity(project), lambda);
      const headers = { 'idempotency-key': `accept-${randomBytes(12).toString('hex')}`, ...call.headers };
      return repeated(() => invoke({ ...call, headers }), isUnknown, sleepFor);
    },
    once<T>(name: string, make: () => Promise<T>): Promise<T> {
      const made = measured.get(name) ?? make();
      measured.set(name, made);
      return made as Promise<T>;
    },
    atEnd: (undo: () => Promise<void>) => void undos.push(undo),
    /** Undoes everything, also if some of it fails; says what is left behind. */
    async end(): Promise<string[]> {
      const left: string[] = [];
      for (const undo of undos.toReversed())
        await undo().catch((error: unknown) =>
          left.push(error instanceof Error ? error.message : String(error)),
        );
      return left;
    },
  };
}

/** 503, or a batch with an item that has it. */
const isUnknown = ({ status, body }: ApiResult): boolean => {
  const { outcomes = [] } = (body ?? {}) as { outcomes?: { status: number }[] };
  return status === 503 || outcomes.some((outcome) => outcome.status === 503);
};
