import { instantText } from '../clock/clock';
import { jobRefOf } from '../contracts/tables';
import type { Tell } from '../domain/alert';
import type { Execution } from '../domain/execution';
import { type DurationSeen, durationSeen, type Expectation, factsOfDuration } from '../domain/expectation';
import type { Job } from '../domain/job';
import { keepsIncidents, type Notification } from '../domain/notification';
import { errorOfPing } from '../domain/ping';
import { runOf, taskRefOf } from '../domain/workflow/task-id';
import { parseDuration } from '../schedule/duration';
import type { Alerting } from '../store/alerting';
import type { Waiting } from '../store/waiting-store';

/** What a message says, before it has a format. All texts are plain. */
export interface Message {
  /** `summary`: of a minute with more messages than are sent one by one; `calm`: there are no more such. */
  kind: Tell['kind'] | 'waiting-approval' | 'calendar-ends' | 'paused' | 'summary' | 'calm' | 'test';
  notification: string;
  project: string;
  /** One sentence. */
  headline: string;
  /** Facts about it: a name and a value each, at most ten. */
  facts: readonly (readonly [name: string, value: string])[];
  /** Ids for programs. Absent in a summary and a test. */
  job?: { jobId: string; name: string | null };
  execution?: {
    execId: string;
    status: string;
    reason: string | null;
    statusCode: number | null;
    error: string | null;
    dueAt: string;
    finishedAt: string | null;
  };
  /** Present if the job lacks the success that its `expectEvery` asks for: the message has no execution. */
  expected?: { every: string; by: string; noSuccessSince: string };
  /** Present if a success was out of its bounds. */
  duration?: DurationSeen;
  /** Present in a message about an approval. */
  approval?: { execId: string; taskId: string; note: string | null; since: string; until: string | null };
  /** Present in a message about a calendar that ends: the last day that it knows, and jobs that use it. */
  calendar?: { calendarId: string; name: string | null; knownUntil: string; jobs: readonly string[] };
  problems?: { since: string; count: number };
  /** Where a person sees more: a page of the console. */
  url: string;
}

/** What every message needs. */
export interface MessageContext {
  notification: string;
  project: string;
  /** `https://…/console`, without a slash at the end. */
  consoleUrl: string;
  /** The format has no markup, so nothing is escaped. */
  isVerbatim?: boolean;
}

/** What the messages of a notification need. */
export const messageContextOf = (
  notification: Notification,
  { alerting }: { alerting: Pick<Alerting, 'consoleUrl'> },
): MessageContext => ({
  notification: notification.id,
  project: notification.project,
  consoleUrl: alerting.consoleUrl,
  isVerbatim: keepsIncidents(notification) || notification.format === 'cloudevents',
});

const SAYS: Readonly<Record<Tell['kind'], string>> = {
  failed: 'failed',
  skipped: 'was skipped',
  late: 'is late',
  slow: 'took longer than expected',
  quick: 'took less time than expected',
  recovered: 'has recovered',
  succeeded: 'succeeded',
  withdrawn: 'is paused, deleted, or no longer watched',
};

/** The message about one execution of a job. */
export function executionMessage(
  tell: Tell,
  execution: Execution | undefined,
  { jobKey, job }: { jobKey: string; job: Job | undefined },
  context: MessageContext,
): Message {
  const { userId: project, jobId } = jobRefOf(jobKey);
  const name = job?.name === undefined ? undefined : plainText(job.name, context);
  const last = execution?.attempts.at(-1);
  const rawError = last?.outcome === 'succeeded' ? undefined : (last?.error ?? errorOfPing(execution));
  const error = rawError === undefined ? undefined : plainText(rawError, context);
  const isProblem = tell.kind !== 'succeeded' && tell.kind !== 'recovered';
  const duration = tell.kind === execution?.pace ? durationSeen(execution, job) : undefined;
  return {
    kind: tell.kind,
    notification: context.notification,
    project: plainText(project, context),
    headline: `Job ${jobId} ${SAYS[tell.kind]}`,
    facts: [
      ...fact('Name', name),
      ...fact('Execution', tell.execId),
      ...fact('Reason', execution?.reason),
      ...(duration ? factsOfDuration(duration) : []),
      ...fact('Status code', isProblem ? last?.statusCode?.toString() : undefined),
      ...fact('Error', isProblem ? error : undefined),
      ...fact('Problems', problemsText(tell)),
    ],
    job: { jobId, name: name ?? null },
    execution: {
      execId: tell.execId,
      status: execution?.status ?? 'scheduled',
      reason: execution?.reason ?? null,
      statusCode: last?.statusCode ?? null,
      error: error ?? null,
      dueAt: instantText(execution?.dueAtMs ?? tell.atMs),
      finishedAt: execution?.finishedAtMs === undefined ? null : instantText(execution.finishedAtMs),
    },
    ...(duration && { duration }),
    problems: { since: instantText(tell.sinceMs), count: tell.count },
    url: executionPage(context, jobId, tell.execId),
  };
}

/** The message about a job that had no success for as long as its `expectEvery`. */
export function missedMessage(
  tell: Tell,
  { atMs }: Expectation,
  { jobId, name, expectEvery: every }: Job & { expectEvery: string },
  context: MessageContext,
): Message {
  const shown = name === undefined ? undefined : plainText(name, context);
  const noSuccessSince = instantText(atMs - parseDuration(every));
  return {
    kind: tell.kind,
    notification: context.notification,
    project: plainText(context.project, context),
    headline: `Job ${jobId} has had no success for ${every}`,
    facts: [
      ...fact('Name', shown),
      ['Expected every', every],
      ['No success since', noSuccessSince],
      ...fact('Problems', problemsText(tell)),
    ],
    job: { jobId, name: shown ?? null },
    expected: { every, by: instantText(atMs), noSuccessSince },
    problems: { since: instantText(tell.sinceMs), count: tell.count },
    url: consolePage(context, `/jobs/${encodeURIComponent(jobId)}`),
  };
}

/** The message about an approval that waits for a user. Its link shows the run, and decides nothing. */
export function approvalMessage(
  { execId: taskExecId, note: rawNote, sinceMs, untilMs }: Waiting,
  { jobId, name }: Pick<Job, 'jobId' | 'name'>,
  context: MessageContext,
): Message {
  const shown = name === undefined ? undefined : plainText(name, context);
  const note = rawNote === undefined ? undefined : plainText(rawNote, context);
  const execId = runOf(taskExecId);
  const taskId = taskRefOf(taskExecId)!.task;
  const until = untilMs === undefined ? undefined : instantText(untilMs);
  return {
    kind: 'waiting-approval',
    notification: context.notification,
    project: plainText(context.project, context),
    headline: `Job ${jobId} waits for an approval`,
    facts: [
      ...fact('Name', shown),
      ...fact('Execution', execId),
      ...fact('Task', taskId),
      ...fact('Note', note),
      ...fact('Until', until),
    ],
    job: { jobId, name: shown ?? null },
    approval: { execId, taskId, note: note ?? null, since: instantText(sinceMs), until: until ?? null },
    url: executionPage(context, jobId, execId),
  };
}

/** Jobs that a message names. */
const MAX_JOBS = 10;

/** The message about a calendar that knows nothing after a day. */
export function calendarEndMessage(
  {
    calendarId,
    name,
    knownUntil,
    jobs,
  }: { calendarId: string; name?: string; knownUntil: string; jobs: readonly Pick<Job, 'jobId'>[] },
  context: MessageContext,
): Message {
  const shown = name === undefined ? undefined : plainText(name, context);
  const ids = jobs.slice(0, MAX_JOBS).map(({ jobId }) => jobId);
  return {
    kind: 'calendar-ends',
    notification: context.notification,
    project: plainText(context.project, context),
    headline: `Calendar ${calendarId} knows nothing after ${knownUntil}`,
    facts: [...fact('Name', shown), ['Jobs', ids.join(', ') + (jobs.length > ids.length ? ' …' : '')]],
    calendar: { calendarId, name: shown ?? null, knownUntil, jobs: ids },
    url: consolePage(context, `/calendars/${encodeURIComponent(calendarId)}`),
  };
}

const problemsText = ({ count, sinceMs }: Tell): string | undefined =>
  count > 1 ? `${count} since ${instantText(sinceMs)}` : undefined;

/** The message at the end of a minute that had more messages than are sent one by one. */
export function summaryMessage(
  count: number,
  sent: number,
  minuteMs: number,
  context: MessageContext,
): Message {
  const more = count - sent;
  return {
    kind: 'summary',
    notification: context.notification,
    project: plainText(context.project, context),
    headline: `${more} more ${more === 1 ? 'message' : 'messages'} in one minute`,
    facts: [
      ['Minute', instantText(minuteMs)],
      ['Sent one by one', String(sent)],
      ['Only in this summary', String(more)],
    ],
    url: consolePage(context, '/failures'),
  };
}

/** The message some time after the last minute that had a summary. */
export const calmMessage = (context: MessageContext): Message => ({
  kind: 'calm',
  notification: context.notification,
  project: plainText(context.project, context),
  headline: 'All messages are sent one by one again',
  facts: [],
  url: consolePage(context, '/failures'),
});

/** The message about a job that was paused because it kept failing. */
export function pausedMessage({ jobId, name }: Job, failures: number, context: MessageContext): Message {
  const shown = name === undefined ? undefined : plainText(name, context);
  return {
    kind: 'paused',
    notification: context.notification,
    project: plainText(context.project, context),
    headline: `Job ${jobId} is paused after ${failures} failures in a row`,
    facts: fact('Name', shown),
    job: { jobId, name: shown ?? null },
    url: consolePage(context, `/jobs/${encodeURIComponent(jobId)}`),
  };
}

/** The message of the test of a notification. */
export const testMessage = (context: MessageContext): Message => ({
  kind: 'test',
  notification: context.notification,
  project: plainText(context.project, context),
  headline: `Test of the notification ${context.notification}`,
  facts: [],
  url: consolePage(context, '/'),
});

const fact = (name: string, value: string | undefined): (readonly [string, string])[] =>
  value === undefined || value === '' ? [] : [[name, value]];

const executionPage = (context: MessageContext, jobId: string, execId: string): string =>
  consolePage(context, `/jobs/${encodeURIComponent(jobId)}/executions/${encodeURIComponent(execId)}`);

/** Bound on the project in a link, so that the link stays within the limits of the formats. */
const MAX_PROJECT_IN_LINK = 200;

/** Links lead to pages that show, and never to one that decides anything. */
function consolePage({ consoleUrl, project }: MessageContext, path: string): string {
  const page = `${consoleUrl}${path}`;
  return project.length > MAX_PROJECT_IN_LINK ? page : `${page}?project=${encodeURIComponent(project)}`;
}

/** Most characters of one text of a job or a target, before it is escaped. */
const MAX_CHARACTERS = 500;
/** Control characters, line ends among them, and characters that hide or turn text. */
const INVISIBLE = /[\p{Cc}\p{Cf}\u2028\u2029]+/gu;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/**
 * A text from a job or a target, as messages have it: one line of at most 500 characters. Invisible ones are
 * gone, and `& < >` are escaped where a format has markup. So it can be no mention, link or tag.
 */
function plainText(text: string, { isVerbatim = false }: MessageContext): string {
  const line = text.replaceAll(INVISIBLE, ' ').trim();
  // By code points: a cut between two surrogates would leave half a character.
  const characters = Array.from(line);
  const isLong = characters.length > MAX_CHARACTERS;
  const cut = isLong ? [...characters.slice(0, MAX_CHARACTERS - 1), '…'] : characters;
  return cut.map((character) => (isVerbatim ? undefined : ENTITIES[character]) ?? character).join('');
}
