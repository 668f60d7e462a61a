import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Io, processIo } from '../../../cli/io';
import { main } from '../../../cli/main';

export interface Ended {
  exitCode: number;
  stdout: string;
  stderr: string;
}

/** Runs a command line in this process, with no profile and what `io` replaces. */
export async function runLine(
  args: readonly string[],
  env: Record<string, string>,
  io: Partial<Io> = {},
): Promise<Ended> {
  const ended = { exitCode: -1, stdout: '', stderr: '' };
  const home = mkdtempSync(join(tmpdir(), 'quarterjack-e2e-'));
  ended.exitCode = await main(args, {
    ...processIo(),
    stdout: { write: (text) => (ended.stdout += text) },
    stderr: { write: (text) => (ended.stderr += text) },
    env: { HOME: home, TZ: 'UTC', ...env },
    ...io,
  });
  return ended;
}
