import type { Definition } from '../../schedules-as-code/definition';
import type { CrontabEntry } from './read-crontab';

/** Cron ends no command. A day is longer than any that should run alone. */
const TIMEOUT = '24h';
/** Settings that cron itself reads. */
const OF_CRON = new Set([
  'MAILTO',
  'MAILFROM',
  'CONTENT_TYPE',
  'CONTENT_TRANSFER_ENCODING',
  'RANDOM_DELAY',
  'START_HOURS_RANGE',
]);

/** The variables that cron gives to the command of a line. */
export const variablesOf = ({ env }: CrontabEntry): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !OF_CRON.has(name)));

/** A command as the job of a worker that runs with `--exec-payload`. */
export function workerJob(entry: CrontabEntry, queue: string): Definition {
  const { command, stdin, user } = entry;
  const env = variablesOf(entry);
  return {
    target: { type: 'worker', queue },
    payload: {
      command,
      ...(stdin !== undefined && { stdin }),
      ...(user !== undefined && { user }),
      ...(Object.keys(env).length > 0 && { env }),
    },
    timeout: TIMEOUT,
  };
}
