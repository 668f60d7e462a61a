import type { Work } from '../../client/worker';

type Environment = Record<string, string | undefined>;

/** Variables that say which execution a command runs for. */
export const workVariables = (work: Work): Record<string, string> => ({
  QUARTERJACK_JOB_ID: work.jobId,
  QUARTERJACK_EXEC_ID: work.execId,
  ...(work.taskId !== undefined && { QUARTERJACK_TASK_ID: work.taskId }),
  QUARTERJACK_ATTEMPT: String(work.attempt),
  QUARTERJACK_FENCE: String(work.fence),
  QUARTERJACK_DUE_AT: work.dueAt,
  QUARTERJACK_DEADLINE: work.deadline,
});

/** The worker's own environment without its token. */
export function commandEnvironment(own: Environment, work: Work): Environment {
  const { QUARTERJACK_TOKEN: _, ...rest } = own;
  return { ...rest, ...workVariables(work) };
}

/** What of the worker's environment a command of a payload gets: the place, and nothing secret. */
const PLACE = /^(TZ|LANG|LC_[A-Z]+)$/;

/** The environment that cron gives to a command, and the payload's own variables. */
export const cronEnvironment = (
  own: Environment,
  account: { name: string; home: string },
  given: Record<string, string>,
  work: Work,
): Environment => ({
  ...Object.fromEntries(Object.entries(own).filter(([name]) => PLACE.test(name))),
  PATH: '/usr/bin:/bin',
  SHELL: '/bin/sh',
  HOME: account.home,
  ...given,
  LOGNAME: account.name,
  USER: account.name,
  ...workVariables(work),
});

/** The payload as a command reads it: JSON and a line feed, or nothing. */
export const stdinOf = (payload: unknown): string =>
  payload === undefined ? '' : `${JSON.stringify(payload)}\n`;
