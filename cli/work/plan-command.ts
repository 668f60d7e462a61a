import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { userInfo } from 'node:os';

import { FatalError, type Work } from '../../client/worker';
import { commandEnvironment, cronEnvironment, stdinOf } from './environment';
import { payloadCommandOf, type PayloadRules } from './payload-command';
import type { CommandPlan } from './start-command';

/** One command for each execution, in the worker's own directory. */
export const planOfCommand =
  (argv: readonly string[], env: Record<string, string | undefined>) =>
  async (work: Work): Promise<CommandPlan> => ({
    argv,
    stdin: stdinOf(work.payload),
    env: commandEnvironment(env, work),
    cwd: process.cwd(),
  });

/** The command of the payload, as cron would run it. Throws a `FatalError` if the worker may not run it. */
export const planOfPayload =
  (rules: Omit<PayloadRules, 'ownUser'>, env: Record<string, string | undefined>) =>
  async (work: Work): Promise<CommandPlan> => {
    const own = ownAccount();
    const command = payloadCommandOf(work.payload, { ...rules, ownUser: own.name });
    if (typeof command === 'string') throw new FatalError(command);
    const account = command.user === undefined ? own : await accountOf(command.user);
    if (!account) throw new FatalError(`this machine has no user ${command.user}`);
    const argv = command.user === undefined ? command.argv : asAccount(account, command.argv);
    if (typeof argv === 'string') throw new FatalError(argv);
    const home = command.env.HOME ?? account.home;
    return {
      argv,
      stdin: command.stdin,
      env: cronEnvironment(env, account, command.env, work),
      cwd: existsSync(home) ? home : '/',
    };
  };

/** An account of this machine. */
interface Account {
  name: string;
  uid: number;
  gid: number;
  home: string;
}

/** Changes the user and all groups, and then becomes the command. Part of util-linux. */
const SETPRIV = ['/usr/bin/setpriv', '/bin/setpriv'];
const NAME = /^[A-Za-z_][\w.-]{0,63}\$?$/;

function ownAccount(): Account {
  const { username, uid, gid, homedir } = userInfo();
  return { name: username, uid, gid, home: homedir };
}

/** Undefined if the machine has no such account. Asks its directory services, if it has some. */
async function accountOf(name: string): Promise<Account | undefined> {
  if (!NAME.test(name)) return undefined;
  const line = (await getent(name)) ?? lineOfPasswd(name);
  const [, , uid = '', gid = '', , home = ''] = line?.split(':') ?? [];
  if (!/^\d+$/.test(uid) || !/^\d+$/.test(gid)) return undefined;
  return { name, uid: Number(uid), gid: Number(gid), home: home || '/' };
}

/** The arguments that run a command as another account. A text: the reason why this is not possible. */
function asAccount({ uid, gid, name }: Account, argv: readonly string[]): string[] | string {
  if (process.getuid?.() !== 0) return `to run a command as ${name}, the worker has to run as root`;
  const setpriv = SETPRIV.find((path) => existsSync(path));
  if (setpriv === undefined) return `to run a command as ${name}, the machine needs setpriv (util-linux)`;
  return [setpriv, '--reuid', String(uid), '--regid', String(gid), '--init-groups', '--', ...argv];
}

/** Undefined where there is no such program, such as on macOS, or no such account. */
const getent = (name: string): Promise<string | undefined> =>
  new Promise((resolve) => {
    execFile('getent', ['passwd', name], (error, stdout) =>
      resolve(error ? undefined : stdout.trim() || undefined),
    );
  });

function lineOfPasswd(name: string): string | undefined {
  if (!existsSync('/etc/passwd')) return undefined;
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  return lines.find((line) => line.startsWith(`${name}:`));
}
