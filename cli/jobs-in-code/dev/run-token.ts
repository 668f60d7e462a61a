import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import type { Io } from '../../io';

/** Tokens of a local run are good for a day. */
const RENEWED_AFTER_MS = 12 * 3_600_000;

/** The token of a run; a new one for each half of a day, from the command that prints them. */
export function runToken(
  { program, cwd, env, nowMs }: Pick<Io, 'program' | 'cwd' | 'env' | 'nowMs'>,
  first: string,
  dataDir: string | undefined,
): () => Promise<string> {
  let token = first;
  let madeAtMs = nowMs();
  return async () => {
    if (nowMs() - madeAtMs < RENEWED_AFTER_MS) return token;
    const [file = '', ...args] = program;
    const data = dataDir === undefined ? [] : ['--data', dataDir];
    const command = [...args, 'token', '--ttl', '1d', ...data];
    const { stdout } = await promisify(execFile)(file, command, { cwd: cwd(), env });
    token = stdout.trim();
    madeAtMs = nowMs();
    return token;
  };
}
