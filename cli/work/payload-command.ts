import { plainWords } from '../import/shell-words';
import { isObject } from '../is-object';

/** What a worker may run of a payload. */
export interface PayloadRules {
  /** The whole command must match one of them. */
  allow: readonly RegExp[];
  allowShell: boolean;
  /** Users other than the worker's own. */
  allowUsers: readonly string[];
  /** Names of variables. */
  allowEnv: readonly string[];
  ownUser: string;
}

/** A command of a payload that is allowed. */
export interface PayloadCommand {
  argv: [file: string, ...args: string[]];
  stdin: string;
  env: Record<string, string>;
  /** Absent: the worker's own. */
  user?: string;
}

/** Commands of the shell itself: no file has these names, or not with their effect. */
const BUILTINS = new Set('. : alias cd eval exec export set source trap type ulimit umask unset'.split(' '));
/** Characters with a meaning to a shell that `plainWords` takes as they are. */
const SPECIAL = /[?[\]#!\n]/;
const VARIABLE = /^[A-Za-z_]\w*$/;
const DEFAULT_SHELL = '/bin/sh';

/**
 * The command that a payload asks for: `{ command, stdin?, user?, env? }`, as `import crontab --queue` writes
 * it. Otherwise the reason why it is refused.
 */
export function payloadCommandOf(payload: unknown, rules: PayloadRules): PayloadCommand | string {
  if (!isObject(payload) || typeof payload.command !== 'string' || payload.command.trim() === '')
    return 'the payload has no command: expected { "command": "…" }';
  const { command, stdin = '', user, env = {} } = payload;
  if (typeof stdin !== 'string') return 'payload.stdin must be a text';
  if (user !== undefined && typeof user !== 'string') return 'payload.user must be a text';
  if (!isObject(env) || !Object.entries(env).every(isVariable))
    return 'payload.env must be an object of variables and texts';
  if (!rules.allow.some((one) => one.test(command)))
    return `no --allow of the worker matches the command: ${command.slice(0, 200)}`;
  const isOther = user !== undefined && user !== rules.ownUser;
  if (isOther && !rules.allowUsers.includes(user)) return `the worker has no --allow-user ${user}`;
  const denied = Object.keys(env).find((name) => !rules.allowEnv.includes(name));
  if (denied !== undefined) return `the worker has no --allow-env ${denied}`;
  const argv = argvOf(command, rules.allowShell ? ((env.SHELL as string | undefined) ?? DEFAULT_SHELL) : '');
  if (!argv) return 'the command needs a shell, and the worker has no --allow-shell';
  return { argv, stdin, env: env as Record<string, string>, ...(isOther && { user }) };
}

const isVariable = ([name, value]: [string, unknown]): boolean =>
  VARIABLE.test(name) && typeof value === 'string' && !value.includes('\0');

/** Undefined for a command that needs a shell, if there is none. */
function argvOf(command: string, shell: string): PayloadCommand['argv'] | undefined {
  if (command.includes('\0')) return undefined;
  if (needsShell(command)) return shell === '' ? undefined : [shell, '-c', command];
  return plainWords(command) as PayloadCommand['argv'];
}

/** Whether only a shell can run it: pipes, redirections, variables, patterns, builtins or assignments. */
export function needsShell(command: string): boolean {
  const [file] = plainWords(command) ?? [];
  return file === undefined || SPECIAL.test(command) || file.includes('=') || BUILTINS.has(file);
}

/** An `--allow` as a pattern of the whole command. */
export const anchored = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`, 'u');
