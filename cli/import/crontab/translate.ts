import { createHash } from 'node:crypto';

import {
  type Import,
  type ImportedJob,
  type ImportedNotification,
  jobIdOf,
  nameOf,
  refuseDuplicates,
  SOURCE_TAG,
} from '../imported';
import { commandName } from './command-name';
import { type HttpCommand, httpCommandOf } from './http-command';
import { localUsersOf, MAIL_TAG, mailsOf, mailTagOf } from './mail';
import type { Crontab, CrontabEntry } from './read-crontab';
import type { NamedCrontab } from './read-machine';
import { workerJob } from './worker-job';

interface CrontabOptions {
  /** Name of the crontab, for `crontab:12`. */
  path: string;
  /** Time zone of the machine that the crontab is from. */
  timezone: string;
  /** URL of a service that runs other commands than HTTP requests. `{jobId}` and `{user}` are replaced. */
  urlTemplate?: string;
  /** The work queue whose workers run other commands than HTTP requests. */
  queue?: string;
}

const HASH_LENGTH = 8;

/** Translates the lines of a crontab to jobs. Gives the reason for each line that has no counterpart. */
export const importFromCrontab = (crontab: Crontab, { path, ...options }: CrontabOptions): Import =>
  importFromCrontabs([{ path, crontab }], options);

/** Imports several crontabs of one machine. */
export function importFromCrontabs(
  crontabs: readonly NamedCrontab[],
  options: Omit<CrontabOptions, 'path'>,
): Import {
  const mails = new Map<string, ImportedNotification>();
  const all = crontabs.map(({ path, crontab }) => translate(crontab, { ...options, path }, mails));
  return refuseDuplicates({
    jobs: all.flatMap(({ jobs }) => jobs),
    ...(mails.size > 0 && { notifications: [...mails.values()] }),
    refused: all.flatMap(({ refused }) => refused),
  });
}

/** Adds to `mails` the notifications in place of mail, by id. */
function translate(
  { entries, unreadable }: Crontab,
  options: CrontabOptions,
  mails: Map<string, ImportedNotification>,
): Import {
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
    const tag = options.queue === undefined ? undefined : mailTagOf(entry.env.MAILTO);
    if (job && tag !== undefined)
      for (const mail of mailsOf(tag, source)) if (!mails.has(mail.id)) mails.set(mail.id, mail);
  }
  return result;
}

const noTarget = ({ command }: CrontabEntry): string =>
  `a job cannot run a command: ${command.slice(0, 80)}; use --queue for a worker, or --url-template for a service that runs it`;

function jobFrom(
  entry: CrontabEntry,
  source: string,
  { timezone: machineTimezone, urlTemplate, queue }: CrontabOptions,
  isFirstOf: (mailTo: string) => boolean,
): ImportedJob | undefined {
  const { expression, command, user, timezone = machineTimezone, env } = entry;
  const jobId = idOf(entry, queue);
  const { maxAttempts = 1, notes: httpNotes = [], ...http } = httpOf(entry);
  const isHttpJob = http.target !== undefined;
  if (!isHttpJob && urlTemplate === undefined && queue === undefined) return undefined;
  const mailTag = queue === undefined ? undefined : mailTagOf(env.MAILTO);
  const delay = randomDelayOf(env);
  const notes: string[] = [...httpNotes, ...delay.notes];
  if (env.TZ && env.TZ !== timezone)
    notes.push(`TZ=${env.TZ} is set for the command only, and does not change when it runs`);
  if (env.MAILTO && isFirstOf(env.MAILTO)) notes.push(...mailNotes(env.MAILTO, queue));
  if (withoutSecrets(command) !== command)
    notes.push('it has a password or token, which is stored in readable form: replace it before you apply');
  return {
    source,
    jobId,
    definition: {
      name: nameOf(withoutSecrets(command)),
      schedule: { type: 'cron', expression, ...(timezone === 'UTC' ? {} : { timezone }), ...delay.jitter },
      ...(isHttpJob
        ? http
        : queue === undefined
          ? commandTarget(entry, jobId, urlTemplate as string)
          : workerJob(entry, queue)),
      // Cron does not retry a command that fails.
      retry: { maxAttempts },
      tags: {
        [SOURCE_TAG]: 'crontab',
        ...(queue !== undefined && { queue }),
        ...(user ? { user } : {}),
        ...(mailTag !== undefined && { [MAIL_TAG]: mailTag }),
      },
    },
    notes,
  };
}

/** Empty for a command that no HTTP request replaces. */
const httpOf = ({ stdin, command }: CrontabEntry): Partial<HttpCommand> =>
  (stdin === undefined ? httpCommandOf(command) : undefined) ?? {};

const MAX_DELAY_MIN = 1_440;

/** A delay of up to so many minutes, chosen each time cron starts. */
function randomDelayOf({ RANDOM_DELAY: given, START_HOURS_RANGE: hours }: CrontabEntry['env']) {
  const minutes = Number(given ?? 0);
  const notes = hours === undefined ? [] : ['START_HOURS_RANGE is not imported: it is a setting of anacron'];
  if (minutes === 0) return { notes, jitter: {} };
  if (!Number.isInteger(minutes) || minutes < 0 || minutes > MAX_DELAY_MIN)
    return { notes: [...notes, `RANDOM_DELAY=${given} is not imported: jitter is 0 to 24h`], jitter: {} };
  const note = `RANDOM_DELAY=${given} becomes jitter: a delay that is the same for every run`;
  return { notes: [...notes, note], jitter: { jitter: `${minutes}m` } };
}

/** What becomes of mail, here and in later lines. */
function mailNotes(mailTo: string, queue: string | undefined): string[] {
  if (queue === undefined)
    return [
      `output is not mailed to ${mailTo}, here and in later lines; the history keeps the beginning of responses`,
    ];
  const users = localUsersOf(mailTo);
  return users.length > 0
    ? [`no notification goes to ${users.join(', ')}, here and in later lines: MAILTO names no address`]
    : [];
}

const USER_FLAG = /(\s(?:-u|--user)[ =]?)(?:"[^"]*"|'[^']*'|[^\s-]\S*)/g;

/** `-u` of these is a user and a password; of other commands it is anything. */
const isHttp = (command: string): boolean => /(?:^|[\s/])(?:curl|wget)\s/.test(command);

/** The command with its credentials hidden: it becomes the name of the job. */
const withoutSecrets = (command: string): string =>
  (isHttp(command) ? command.replace(USER_FLAG, '$1***') : command)
    .replace(/(\s(?:--password|--token)[ =]?)(?:"[^"]*"|'[^']*'|[^\s-]\S*)/g, '$1***')
    .replace(
      /((?:authorization|cookie|x-api-key|(?<![\w-])[\w-]*-(?:token|secret|key)):\s*)[^"']+/gi,
      '$1***',
    )
    .replace(/(:\/\/)[^\s/@]+@/g, '$1***@');

function commandTarget({ command, stdin, user = '', env }: CrontabEntry, jobId: string, urlTemplate: string) {
  const url = urlTemplate
    .replaceAll('{jobId}', encodeURIComponent(jobId))
    .replaceAll('{user}', encodeURIComponent(user));
  const payload = { command, ...(stdin === undefined ? {} : { stdin }), ...(user ? { user } : {}), env };
  return { target: { type: 'http', url }, payload };
}

/**
 * `backup.sh-1a2b3c4d`: the word that says what the command does, and a hash. The same line has the
 * same id anywhere in the file. Another queue is another machine, whose lines have ids of their own.
 */
function idOf({ expression, user, command, stdin }: CrontabEntry, queue: string | undefined): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([expression, user, command, stdin, ...(queue === undefined ? [] : [queue])]))
    .digest('hex');
  const name = jobIdOf(commandName(command) ?? 'cron').slice(0, 40);
  return `${name}-${hash.slice(0, HASH_LENGTH)}`;
}
