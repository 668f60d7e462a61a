import { isObject } from '../is-object';
import { needsShell } from '../work/payload-command';
import type { ImportedJob } from './imported';

/** Cron starts as many commands as are due. */
const CONCURRENCY = 10;

/** What a worker has to be allowed for imported commands. */
interface Allowed {
  commands: string[];
  users: string[];
  variables: string[];
  needsShell: boolean;
}

/** The command that runs imported commands, and nothing else. Undefined if there are none. */
export function workCommandOf(jobs: readonly ImportedJob[], queue: string): string | undefined {
  const { commands, users, variables, needsShell: isShell } = allowedOf(jobs);
  if (commands.length === 0) return undefined;
  const flags = [
    `--concurrency ${CONCURRENCY}`,
    '--exec-payload',
    ...(isShell ? ['--allow-shell'] : []),
    ...users.map((name) => `--allow-user ${shellQuoted(name)}`),
    ...variables.map((name) => `--allow-env ${name}`),
    ...commands.map((command) => `--allow ${shellQuoted(literalPattern(command))}`),
  ];
  return [`quarterjack work --queue ${queue}`, ...flags].join(' \\\n  ');
}

function allowedOf(jobs: readonly ImportedJob[]): Allowed {
  const payloads = jobs
    .filter(({ definition }) => isObject(definition.target) && definition.target.type === 'worker')
    .map(({ definition }) => definition.payload as { command: string; user?: string; env?: object });
  const each = (values: (string | undefined)[]) =>
    [...new Set(values.filter((value) => value !== undefined))].toSorted();
  const commands = each(payloads.map(({ command }) => command));
  return {
    commands,
    users: each(payloads.map(({ user }) => user)),
    variables: each(payloads.flatMap(({ env = {} }) => Object.keys(env))),
    needsShell: commands.some(needsShell),
  };
}

/** A regular expression that matches this text alone. */
const literalPattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** A word as a shell reads it. */
export const shellQuoted = (text: string): string =>
  /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
