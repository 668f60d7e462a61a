import { createInterface } from 'node:readline';

import type { Io } from '../../io';
import type { ExitStatus } from '../../work/exit-outcome';
import { statusText } from '../../work/exit-outcome';
import type { Watchdog } from '../../work/watchdog/watchdog';
import { readerOf } from '../reading';
import { startCompanion } from './companion';
import { FINISH, type JobsMessage, type Loaded, type NotLoaded, SERVE_COMMAND } from './messages';

/** A process that has a module loaded, and serves its jobs. */
export interface JobsProgram {
  loaded: Promise<Loaded | NotLoaded>;
  exited: Promise<ExitStatus>;
  /** Takes no more deliveries, has a little time for those under way, and ends. */
  finish(): Promise<void>;
  kill(): Promise<void>;
}

export interface JobsProgramPlan {
  path: string;
  env: Record<string, string | undefined>;
  stdout: 1 | 2;
  /** Gets files that it imports after it was loaded. */
  onLater(files: readonly string[]): void;
}

const FINISH_MS = 5_000;
/** After SIGTERM, if the process that has started it dies. */
const GRACE_MS = 1_000;

export async function startJobsProgram(
  { program, cwd }: Pick<Io, 'program' | 'cwd'>,
  { path, env, stdout, onLater }: JobsProgramPlan,
  watchdog: Watchdog,
): Promise<JobsProgram> {
  const argv = [...program, SERVE_COMMAND, path, readerOf(path)];
  const companion = await startCompanion({ argv, cwd: cwd(), env, stdout, graceMs: GRACE_MS }, watchdog);
  const { exited, stdin, kill } = companion;
  const loaded = new Promise<Loaded | NotLoaded>((resolve) => {
    createInterface(companion.messages).on('line', (line) => {
      const message = JSON.parse(line) as JobsMessage;
      if ('later' in message) onLater(message.later);
      else resolve(message);
    });
    void exited.then((status) =>
      resolve({ error: `${path}: it ended before it was loaded: ${statusText(status)}`, files: [path] }),
    );
  });
  return {
    loaded,
    exited,
    kill,
    async finish() {
      stdin.write(FINISH);
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, FINISH_MS)));
      await Promise.race([exited, late]);
      clearTimeout(timer);
      // Its group may have more processes than the one that has ended.
      await kill();
    },
  };
}
