import { readFileSync } from 'node:fs';

import { CliError, ExitCode } from '../exit-codes';

export interface UrlFlags {
  keyFile?: string;
}

/** The variable of the environment with a ping URL. */
export const PING_VARIABLE = 'QUARTERJACK_PING';

const PATH = /^\/p\/[\w-]+$/;

/**
 * The URL to ping, in this order: the argument, the file, the variable. All users of the machine see an
 * argument.
 */
export function pingUrl(
  argument: string | undefined,
  { keyFile }: UrlFlags,
  { env, stderr }: { env: Record<string, string | undefined>; stderr: { write(text: string): unknown } },
): string {
  if (argument !== undefined) {
    const better = `use ${PING_VARIABLE} or --key-file`;
    stderr.write(
      `quarterjack: the ping URL is an argument, which all users of this machine can see: ${better}\n`,
    );
    return checked(argument, 'the argument');
  }
  if (keyFile !== undefined) return checked(readFileSync(keyFile, 'utf8').trim(), keyFile);
  const url = env[PING_VARIABLE];
  if (url !== undefined && url !== '') return checked(url, PING_VARIABLE);
  throw new CliError(
    `give the ping URL of the monitor: in ${PING_VARIABLE}, or in a file by --key-file`,
    ExitCode.usage,
  );
}

/** The URL itself is a secret, so that no message shows it. */
function checked(text: string, from: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPing = url && /^https?:$/.test(url.protocol) && PATH.test(url.pathname);
  if (isPing) return url.origin + url.pathname;
  throw new CliError(`${from} must be a ping URL, as quarterjack jobs ping prints it`, ExitCode.usage);
}
