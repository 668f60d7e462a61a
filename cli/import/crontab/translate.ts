import { createHash } from 'node:crypto';

import { type Import, type ImportedJob, jobIdOf, nameOf, refuseTwins, SOURCE_TAG } from '../imported';
import { httpCommandOf } from './http-command';
import type { Crontab, CrontabEntry } from './read-crontab';

export interface CrontabOptions {
  /** What lines are told by: `crontab:12`. */
  path: string;
  /** Of the machine that the crontab is from. */
  timezone: string;
  /** Of something that runs commands, for those that are more than an HTTP request: `{jobId}` and `{user}` are filled in. */
  urlTemplate?: string;
}

const HASH_LENGTH = 8;
/** Programs that say nothing of what is done. */
const WRAPPERS =
  /^(?:(?:\/\S*\/)?(?:sh|bash|env|nice|ionice|flock|sudo|timeout|python3?|php|node|ruby|perl|cd)|-\S*|\w+=\S*|\d+)$/;

/** The lines of a crontab as jobs, and why some of them cannot be any. */
export function importFromCrontab({ entries, unreadable }: Crontab, options: CrontabOptions): Import {
  const result: Import = {
    jobs: [],
    refused: unreadable.map(({ line, reason }) => ({ source: `${options.path}:${line}`, reason })),
  };
  for (const entry of entries) {
    const source = `${options.path}:${entry.line}`;
    const job = jobFrom(entry, source, options);
    if (job) result.jobs.push(job);
    else result.refused.push({ source, reason: noTarget(entry) });
  }
  return refuseTwins(result);
}

const noTarget = ({ command }: CrontabEntry): string =>
  `a command has no target here: ${command.slice(0, 80)}; --url-template names something that runs it`;

function jobFrom(
  entry: CrontabEntry,
  source: string,
  { timezone: ofMachine, urlTemplate }: CrontabOptions,
): ImportedJob | undefined {
  const { expression, command, user, timezone = ofMachine, env } = entry;
  const jobId = idOf(entry);
  const http = entry.stdin === undefined ? httpCommandOf(command) : undefined;
  if (!http && urlTemplate === undefined) return undefined;
  const notes: string[] = [];
  if (env.TZ && env.TZ !== timezone)
    notes.push(`its TZ=${env.TZ} is the command's, and does not move its times`);
  if (env.MAILTO) notes.push(`its output is not mailed to ${env.MAILTO}: the history keeps the answer`);
  return {
    source,
    jobId,
    definition: {
      name: nameOf(command),
      schedule: { type: 'cron', expression, ...(timezone === 'UTC' ? {} : { timezone }) },
      ...(http ?? commandTarget(entry, jobId, urlTemplate as string)),
      // Cron runs each time once, come what may.
      retry: { maxAttempts: 1 },
      tags: { [SOURCE_TAG]: 'crontab', ...(user ? { user } : {}) },
    },
    notes,
  };
}

function commandTarget({ command, stdin, user = '', env }: CrontabEntry, jobId: string, urlTemplate: string) {
  const url = urlTemplate
    .replaceAll('{jobId}', encodeURIComponent(jobId))
    .replaceAll('{user}', encodeURIComponent(user));
  const payload = { command, ...(stdin === undefined ? {} : { stdin }), ...(user ? { user } : {}), env };
  return { target: { type: 'http', url }, payload };
}

/** The same line has the same id, wherever in the file it stands; what it does is told by the first word that says it. */
function idOf({ expression, user, command, stdin }: CrontabEntry): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([expression, user, command, stdin]))
    .digest('hex');
  const word = command.split(/\s+/).find((one) => !WRAPPERS.test(one)) ?? 'cron';
  const name = jobIdOf(word.split('/').findLast((part) => part !== '') ?? '').slice(0, 40);
  return `${name}-${hash.slice(0, HASH_LENGTH)}`;
}
