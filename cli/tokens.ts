import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { CliError, ExitCode } from './exit-codes';
import type { Io } from './io';
import type { Profile } from './profiles';
import { renew } from './sign-in/renew';
import type { Tokens } from './sign-in/authorize';

/** A token that expires within this time is renewed before it is used. */
const MARGIN_MS = 30_000;
const JWT = /^[\w-]+\.[\w-]+\.[\w-]*$/;
/** `qj_<id>_<secret and checksum>`: it has no expiry that could be read. */
const API_KEY = /^qj_[0-9a-z]{16}_[0-9A-Za-z]{49}$/;
const COMMAND_TIMEOUT_MS = 60_000;

/**
 * A valid token, from the profile, its command or its issuer. `keep` is called with what a new one changes in
 * the profile.
 */
export async function tokenOf(
  profile: Profile,
  io: Pick<Io, 'env' | 'nowMs' | 'fetch'>,
  keep: (fresh: Tokens) => void,
): Promise<string | undefined> {
  const { token, tokenCommand, renewal } = profile;
  if (!tokenCommand && !renewal) return token;
  if (token && expiresAtMs(token) > io.nowMs() + MARGIN_MS) return token;
  const fresh = renewal ? await renew(renewal, io) : { token: await runTokenCommand(profile, io) };
  keep(fresh);
  return fresh.token;
}

async function runTokenCommand(
  { tokenCommand: command = '', tokenCommandDir: cwd }: Profile,
  { env }: Pick<Io, 'env'>,
): Promise<string> {
  let stdout: string;
  try {
    ({ stdout } = await promisify(execFile)('/bin/sh', ['-c', command], {
      env: env as NodeJS.ProcessEnv,
      cwd,
      timeout: COMMAND_TIMEOUT_MS,
    }));
  } catch (cause) {
    const { stderr = '', code } = cause as { stderr?: string; code?: unknown };
    const reason = stderr.trim().split('\n').at(-1) ?? '';
    throw new CliError(
      `the token command failed (${String(code)})${cwd === undefined ? '' : ` in ${cwd}`}: ${command}\n${reason}`,
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
