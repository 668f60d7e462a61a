import { existsSync } from 'node:fs';

import { FatalError, type Work } from '../../client/worker';
import { accountOf, asAccount, ownAccount } from './machine-users';
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
