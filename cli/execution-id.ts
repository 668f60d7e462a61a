import type { Quarterjack } from '../client';
import { CliError, ExitCode } from './exit-codes';

/** For the help of commands that name an execution. */
export const EXECUTION_HELP =
  'An execution is named by its id, by a beginning of it that no other id of the job has, or by latest.';

const LATEST = 'latest';
/**
 * A whole id: of an occurrence, which is due at a whole second; or of a run that a user started, or a
 * backfill. Whether another text is a beginning is known by a look-up alone.
 */
const WHOLE = /^\d{8}T\d{6}\.(?:000Z|\d{3}Z-(?:bf.{26}|(?!bf).{26}))$/;
const WHOLE_LENGTH = '20261201T090000.000Z'.length;
/** How far a beginning may narrow the due times down: `20261201T09`. */
const BEGINNING = /^\d{4,8}(?:T\d{0,6}(?:\.\d{0,3}Z?.*)?)?$/;
const MOST_SHOWN = 5;
/** More executions of one beginning are not compared. */
const MOST_READ = 100;

/**
 * The id of the execution that a user names: by its id, a beginning of it, or `latest`. That is the newest
 * one that is due. A text that no id begins with stays as it is: the API says that there is none.
 * Throws a `CliError` if several ids begin so, or if no execution of the job has been due.
 */
export async function execIdOf(client: Quarterjack, jobId: string, named: string): Promise<string> {
  const typed = named.replace(/…$/, ''); // as a table shows a long id
  if (typed === LATEST) return newestOf(client, jobId);
  if (WHOLE.test(typed) || !BEGINNING.test(typed)) return typed;
  const range = { from: bound(typed, '0'), to: bound(typed, '9'), limit: MOST_READ };
  const found = await client.executions.list(jobId, range).toArray(MOST_READ);
  const ids = found.map(({ execId }) => execId).filter((id) => id.startsWith(typed));
  if (ids.length <= 1 || ids.includes(typed)) return ids.includes(typed) ? typed : (ids[0] ?? typed);
  const more = ids.length > MOST_SHOWN ? ', …' : '';
  throw new CliError(
    `several executions of ${jobId} begin with ${typed}: ${ids.slice(0, MOST_SHOWN).join(', ')}${more}`,
  );
}

/** The newest execution that is due. */
async function newestOf({ executions }: Quarterjack, jobId: string): Promise<string> {
  const recent = await executions.list(jobId, { limit: 25 }).toArray(25);
  const newest = recent.find(({ status }) => status !== 'scheduled');
  if (newest) return newest.execId;
  throw new CliError(`no execution of ${jobId} has been due yet`, ExitCode.notFound);
}

/** The newest backfill of a job, or what `execIdOf` returns. */
export async function backfillIdOf(client: Quarterjack, jobId: string, typed: string): Promise<string> {
  if (typed !== LATEST) return execIdOf(client, jobId, typed);
  const [newest] = await client.backfills.list(jobId, { limit: 1 }).toArray(1);
  if (newest) return newest.execId;
  throw new CliError(`${jobId} has no backfill`, ExitCode.notFound);
}

/** Width, lowest and highest value of year, month, day, hour, minute, second and millisecond. */
const PARTS = [
  [4, 1970, 2199],
  [2, 1, 12],
  [2, 1, 31],
  [2, 0, 23],
  [2, 0, 59],
  [2, 0, 59],
  [3, 0, 999],
] as const;

/** The last instant that the API takes: a list may not end later. */
const LATEST_MS = Date.UTC(2200, 0) - 1;

/** The first instant whose compact form begins so, or the first one after all of them. */
function bound(beginning: string, fill: '0' | '9'): string {
  const digits = beginning.slice(0, WHOLE_LENGTH).replace(/\D/g, '');
  let at = 0;
  const [year = 0, month = 1, ...rest] = PARTS.map(([width, lowest, highest]) => {
    const given = Number(digits.slice(at, (at += width)).padEnd(width, fill));
    return Math.min(highest, Math.max(lowest, given));
  });
  const ms = Date.UTC(year, month - 1, ...rest); // the 31st of a shorter month is one of the next
  return new Date(Math.min(ms + (fill === '9' ? 1 : 0), LATEST_MS)).toISOString();
}
