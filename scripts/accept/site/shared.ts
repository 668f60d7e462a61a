import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import type { LambdaClient } from '@aws-sdk/client-lambda';

import { apiInvoker } from '../../../lambdas/core/platform/api-function';
import { acceptIdentity } from './identity';

/** What every site has: a clock, a name of the run, what was measured, and what is to be undone. */
export function sharedOf(apiFunction: string, lambda: LambdaClient) {
  const measured = new Map<string, Promise<unknown>>();
  const undos: (() => Promise<void>)[] = [];
  return {
    nowMs: () => Date.now(),
    sleep: (ms: number) => sleep(ms),
    startMs: Date.now(),
    run: randomBytes(3).toString('hex'),
    api: (call: Parameters<ReturnType<typeof apiInvoker>>[0], project = 0) =>
      apiInvoker(apiFunction, acceptIdentity(project), lambda)(call),
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
