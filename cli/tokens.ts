import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { CliError, ExitCode } from './exit-codes';
import type { Io } from './io';
import type { Profile } from './profiles';

/** A token that expires within this time is renewed before it is used. */
const MARGIN_MS = 30_000;
const JWT = /^[\w-]+\.[\w-]+\.[\w-]*$/;
/** `qj_<id>_<secret and checksum>`: it has no expiry that could be read. */
const API_KEY = /^qj_[0-9a-z]{16}_[0-9A-Za-z]{49}$/;
const COMMAND_TIMEOUT_MS = 60_000;

/** A valid token, from the profile or from its command. `keep` is called with a new one. */
export async function tokenOf(
  profile: Profile,
  io: Pick<Io, 'env' | 'nowMs'>,
  keep: (token: string) => void,
): Promise<string | undefined> {
  const { token, tokenCommand } = profile;
  if (!tokenCommand) return token;
  if (token && expiresAtMs(token) > io.nowMs() + MARGIN_MS) return token;
  const fresh = await runTokenCommand(tokenCommand, io);
  keep(fresh);
  return fresh;
}

async function runTokenCommand(command: string, { env }: Pick<Io, 'env'>): Promise<string> {
  let stdout: string;
  try {
    ({ stdout } = await promisify(execFile)('/bin/sh', ['-c', command], {
      env: env as NodeJS.ProcessEnv,
      timeout: COMMAND_TIMEOUT_MS,
    }));
  } catch (cause) {
    const { stderr = '', code } = cause as { stderr?: string; code?: unknown };
    const reason = stderr.trim().split('\n').at(-1) ?? '';
    throw new CliError(
      `the token command failed (${String(code)}): ${command}\n${reason}`,
      ExitCode.notAllowed,
      {
        cause,
      },
    );
  }
  const token = stdout.trim();
  if (JWT.test(token) || API_KEY.test(token)) return token;
  throw new CliError(
    `the token command printed neither a JWT nor an API key: ${command}`,
    ExitCode.notAllowed,
  );
}

/** The `exp` of a JWT in milliseconds; `Infinity` if the token has none that can be read. */
export function expiresAtMs(token: string): number {
  try {
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
      exp?: unknown;
    };
    return typeof claims.exp === 'number' ? claims.exp * 1_000 : Infinity;
  } catch {
    return Infinity;
  }
}
