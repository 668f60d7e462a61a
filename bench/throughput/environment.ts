import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import type { StageFunction } from '../support/functions';

export interface Ran {
  results: unknown[];
  wallMs: number;
  /** CPU time of the environment's process: user and system, all threads. */
  cpuMs: number;
}

export interface Environment {
  /** Runs events one after another. */
  invoke(events: readonly object[]): Promise<Ran>;
  end(): Promise<void>;
}

interface EnvironmentOptions {
  /** Certificate of an authority that it trusts, besides those that Node.js knows. */
  authorityFile: string;
  /** Where it writes a CPU profile at its end. Undefined: it is not profiled. */
  profileDir: string | undefined;
}

/** An execution environment in its own process, so that its CPU time is separate from that of the store. */
export async function startEnvironment(
  { bundle, variables }: StageFunction,
  { authorityFile, profileDir }: EnvironmentOptions,
): Promise<Environment> {
  const child: ChildProcess = fork(join(__dirname, 'environment.mjs'), [bundle], {
    env: { ...variables, NODE_EXTRA_CA_CERTS: authorityFile },
    execArgv: profileDir === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', profileDir],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'], // log lines are written, as in Lambda, and discarded
  });
  await once(child, 'message');
  return {
    async invoke(events) {
      child.send(events.map((event) => JSON.stringify(event)));
      const [ran] = (await once(child, 'message')) as [Ran];
      return ran;
    },
    async end() {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}
