import { createHash } from 'node:crypto';

import { type Import, type ImportedJob, jobIdOf, nameOf, refuseDuplicates, SOURCE_TAG } from '../imported';
import { httpCommandOf } from './http-command';
import type { Crontab, CrontabEntry } from './read-crontab';

interface CrontabOptions {
  /** Name of the crontab, for `crontab:12`. */
  path: string;
  /** Time zone of the machine that the crontab is from. */
  timezone: string;
  /** URL of a service that runs other commands than HTTP requests. `{jobId}` and `{user}` are replaced. */
  urlTemplate?: string;
}

const HASH_LENGTH = 8;
/** Words of a command that say nothing about what it does. */
const WRAPPERS =
  /^(?:(?:\/\S*\/)?(?:sh|bash|env|nice|ionice|flock|sudo|timeout|python3?|php|node|ruby|perl|cd)|-\S*|\w+=\S*|\d+)$/;

/** Translates the lines of a crontab to jobs. Gives the reason for each line that has no counterpart. */
export function importFromCrontab({ entries, unreadable }: Crontab, options: CrontabOptions): Import {
  const result: Import = {
    jobs: [],
    refused: unreadable.map(({ line, reason }) => ({ source: `${options.path}:${line}`, reason })),
  };
  const mailed = new Set<string>();
  const isFirstOf = (mailTo: string) => !mailed.has(mailTo) && Boolean(mailed.add(mailTo));
  for (const entry of entries) {
    const source = `${options.path}:${entry.line}`;
    const job = jobFrom(entry, source, options, isFirstOf);
    if (job) result.jobs.push(job);
    else result.refused.push({ source, reason: noTarget(entry) });
  }
  return refuseDuplicates(result);
}

const noTarget = ({ command }: CrontabEntry): string =>
  `a job cannot run a command: ${command.slice(0, 80)}; use --url-template for a service that runs it`;

function jobFrom(
  entry: CrontabEntry,
  source: string,
  { timezone: machineTimezone, urlTemplate }: CrontabOptions,
  isFirstOf: (mailTo: string) => boolean,
): ImportedJob | undefined {
  const { expression, command, user, timezone = machineTimezone, env } = entry;
  const jobId = idOf(entry);
  const http = entry.stdin === undefined ? httpCommandOf(command) : undefined;
  if (!http && urlTemplate === undefined) return undefined;
  const notes: string[] = [];
  if (env.TZ && env.TZ !== timezone)
    notes.push(`TZ=${env.TZ} is set for the command only, and does not change when it runs`);
  if (env.MAILTO && isFirstOf(env.MAILTO))
    notes.push(
      `output is not mailed to ${env.MAILTO}, here and in later lines; the history keeps the beginning of responses`,
    );
  if (withoutSecrets(command) !== command)
    notes.push('it has a password or token, which is stored in readable form: replace it before you apply');
  return {
    source,
    jobId,
    definition: {
      name: nameOf(withoutSecrets(command)),
      schedule: { type: 'cron', expression, ...(timezone === 'UTC' ? {} : { timezone }) },
      ...(http ?? commandTarget(entry, jobId, urlTemplate as string)),
      // Cron does not retry a command that fails.
      retry: { maxAttempts: 1 },
      tags: { [SOURCE_TAG]: 'crontab', ...(user ? { user } : {}) },
    },
    notes,
  };
}

/** The command with its credentials hidden: it becomes the name of the job. */
const withoutSecrets = (command: string): string =>
  command
    .replace(/(\s(?:-u|--user|--password|--token)[ =]?)(?:"[^"]*"|'[^']*'|[^\s-]\S*)/g, '$1***')
    .replace(/((?:authorization|cookie|x-api-key|[\w-]*-(?:token|secret|key)):\s*)[^"']+/gi, '$1***')
    .replace(/(:\/\/)[^\s/@]+@/g, '$1***@');

function commandTarget({ command, stdin, user = '', env }: CrontabEntry, jobId: string, urlTemplate: string) {
  const url = urlTemplate
    .replaceAll('{jobId}', encodeURIComponent(jobId))
    .replaceAll('{user}', encodeURIComponent(user));
  const payload = { command, ...(stdin === undefined ? {} : { stdin }), ...(user ? { user } : {}), env };
  return { target: { type: 'http', url }, payload };
}

/**
 * `backup.sh-1a2b3c4d`: the first word that says what the command does, and a hash. The same line has the
 * same id anywhere in the file.
 */
function idOf({ expression, user, command, stdin }: CrontabEntry): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([expression, user, command, stdin]))
    .digest('hex');
  const word = command.split(/\s+/).find((one) => !WRAPPERS.test(one)) ?? 'cron';
  const name = jobIdOf(word.split('/').findLast((part) => part !== '') ?? '').slice(0, 40);
  return `${name}-${hash.slice(0, HASH_LENGTH)}`;
}
