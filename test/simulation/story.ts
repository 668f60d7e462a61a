import { isHiddenJob, jobRefOf } from '../../lambdas/core/contracts/tables';
import type { OccurrenceEntry } from '../../lambdas/core/domain/entry';
import { isTaskExecution, runOf } from '../../lambdas/core/domain/workflow/task-id';
import { scheduleContextOf } from '../../lambdas/core/domain/entry-planning';
import type { Execution } from '../../lambdas/core/domain/execution';
import type { Job } from '../../lambdas/core/domain/job';
import { Calendar } from '../../lambdas/core/schedule/calendar';
import { parseSchedule } from '../../lambdas/core/schedule/parse';
import type { Schedule } from '../../lambdas/core/schedule/schedule';
import { withMethods } from './calendars';
import type {
  ApiRecord,
  EndRecord,
  LogConditions,
  LogRecord,
  ReportRecord,
  SimulationLog,
  TargetBegin,
  TargetEnd,
} from './log';
import { type Restored, restoredIn } from './restored-log';

/** A job as it was in the table for a while. `null`: there was none. */
export interface JobVersion {
  fromMs: number;
  untilMs: number;
  job: Job | null;
  /** Its row expired at the end of this version. */
  expires?: true;
}

export interface ExecutionState {
  t: number;
  execution: Execution;
}

export type Call = TargetBegin & {
  t: number;
  endMs?: number;
  how?: TargetEnd['how'];
  reports: Report[];
};
export type Report = ReportRecord & { sentMs: number };
export type Request = Omit<ApiRecord, 'type'> & { type: ApiRecord['type']; fromMs: number; untilMs: number };

/** A log, arranged for the checks. */
export interface Story {
  conditions: LogConditions;
  records: readonly LogRecord[];
  healedMs: number;
  endMs: number;
  end: EndRecord;
  versions: ReadonlyMap<string, readonly JobVersion[]>;
  /** By `jobKey#execId`, in the order of the table. */
  states: ReadonlyMap<string, readonly ExecutionState[]>;
  /** By revision. */
  entries: ReadonlyMap<string, readonly OccurrenceEntry[]>;
  calls: readonly Call[];
  /** Contents of calendars by `user/calendarId`, in the order of the table. */
  calendars: ReadonlyMap<string, readonly { t: number; calendar: Calendar }[]>;
  requests: readonly Request[];
  /** Executions of hidden jobs, which deliver messages, at the end of the log. No other check has them. */
  messages: readonly { row: Execution; filedMs: number }[];
  /** Nodes that were frozen at some time. */
  frozen: ReadonlySet<string>;
  /** Operators have put tables back. */
  restored?: Restored;
}

const withoutHiddenJobs = <One extends EndRecord>(end: One): One => ({
  ...end,
  executions: end.executions.filter(({ jobKey }) => !isHiddenJob(jobKey)),
});

function messagesIn(records: readonly LogRecord[], { executions }: EndRecord): Story['messages'] {
  const filed = new Map<string, number>();
  for (const record of records) {
    if (record.src !== 'table' || record.type !== 'execution' || !isOfHiddenJob(record)) continue;
    const id = idOf(record.execution);
    if (!filed.has(id)) filed.set(id, record.t);
  }
  const hidden = executions.filter(({ jobKey }) => isHiddenJob(jobKey));
  return hidden.map((row) => ({ row, filedMs: filed.get(idOf(row))! }));
}

function isOfHiddenJob(record: LogRecord): boolean {
  if (record.src === 'table' && record.type === 'execution') return isHiddenJob(record.execution.jobKey);
  if (record.src === 'table' && record.type === 'entry') return isHiddenJob(record.entry.jobKey);
  return 'jobKey' in record && typeof record.jobKey === 'string' && isHiddenJob(record.jobKey);
}

export const idOf = ({ jobKey, execId }: { jobKey: string; execId: string }): string => `${jobKey}#${execId}`;

export function storyOf({ conditions, records: all }: SimulationLog): Story {
  const whole = endOf(all);
  const end = withoutHiddenJobs(whole);
  const records = all.filter((record) => !isOfHiddenJob(record));
  const story = {
    conditions,
    records,
    healedMs: records.find((record) => record.src === 'run' && record.type === 'healed')?.t ?? records[0]!.t,
    endMs: end.t,
    end,
    versions: new Map<string, JobVersion[]>(),
    states: new Map<string, ExecutionState[]>(),
    entries: new Map<string, OccurrenceEntry[]>(),
    calls: [] as Call[],
    calendars: calendarsIn(records),
    requests: [] as Request[],
    messages: messagesIn(all, whole),
    frozen: frozenIn(records),
    restored: restoredIn({ conditions, records }),
  };
  const [calls, requests] = [new Map<number, Call>(), new Map<number, Request>()];
  for (const record of records) {
    const { t } = record;
    if (record.src === 'table' && record.type === 'job') {
      const versions = story.versions.get(record.jobKey) ?? [];
      Object.assign(versions.at(-1) ?? {}, { untilMs: t, expires: record.expired });
      versions.push({ fromMs: t, untilMs: Number.POSITIVE_INFINITY, job: withMethods(record.job) });
      story.versions.set(record.jobKey, versions);
    } else if (record.src === 'table' && record.type === 'execution') {
      const id = idOf(record.execution);
      const states = story.states.get(id) ?? [];
      states.push({ t, execution: record.execution });
      story.states.set(id, states);
    } else if (record.src === 'table' && record.type === 'entry') {
      const { entry } = record;
      if (entry.kind !== 'occurrence') continue;
      const entries = story.entries.get(entry.revision) ?? [];
      entries.push(entry);
      story.entries.set(entry.revision, entries);
    } else if (record.src === 'target' && record.type === 'begin') {
      const call: Call = { ...record, reports: [] };
      calls.set(call.call, call);
      story.calls.push(call);
    } else if (record.src === 'target') {
      Object.assign(calls.get(record.call) ?? {}, { endMs: t, how: record.how });
    } else if (record.src === 'report' && record.type === 'sent') {
      calls.get(record.call)?.reports.push({ ...record, sentMs: t });
    } else if (record.src === 'report') {
      const sent = calls.get(record.call)?.reports.find(({ report }) => report === record.report);
      if (sent) Object.assign(sent, record);
    } else if (record.src === 'api' && record.type === 'invoke') {
      const request: Request = { ...record, type: 'info', fromMs: t, untilMs: Number.POSITIVE_INFINITY };
      requests.set(request.request, request);
      story.requests.push(request);
    } else if (record.src === 'api') {
      Object.assign(requests.get(record.request) ?? {}, record, { untilMs: t });
    }
  }
  return story;
}

const frozenIn = (records: readonly LogRecord[]): Set<string> =>
  new Set(records.flatMap((one) => (one.src === 'stage' && one.type === 'frozen' ? [one.node] : [])));

/** Contents of calendars by `user/calendarId`, in the order of the table. */
function calendarsIn(records: readonly LogRecord[]): Map<string, { t: number; calendar: Calendar }[]> {
  const calendars = new Map<string, { t: number; calendar: Calendar }[]>();
  for (const record of records) {
    if (record.src !== 'table' || record.type !== 'calendar') continue;
    const contents = calendars.get(record.calendarKey) ?? [];
    contents.push({ t: record.t, calendar: new Calendar(record.calendar.content) });
    calendars.set(record.calendarKey, contents);
  }
  return calendars;
}

function endOf(records: readonly LogRecord[]): EndRecord & LogRecord {
  const end = records.findLast((record) => record.src === 'run' && record.type === 'end');
  if (!end) throw new Error('the log has no end');
  const last = end as EndRecord & LogRecord;
  return { ...last, jobs: last.jobs.map(withMethods) };
}

const schedules = new WeakMap<Job, Schedule>();

/** The job's due times, by the schedule engine, which has its own conformance suites. */
export function scheduleIn(job: Job, jobKey: string): Schedule {
  let schedule = schedules.get(job);
  if (!schedule) {
    schedule = parseSchedule(job.schedule, { ...scheduleContextOf(job), jobKey });
    schedules.set(job, schedule);
  }
  return schedule;
}

/** Whether the instant is one of the job's planned occurrences, `maxRuns` counted. */
export function isPlanned(job: Job, jobKey: string, dueAtMs: number): boolean {
  const schedule = scheduleIn(job, jobKey);
  if (dueAtMs <= job.scheduleChangedAtMs || !schedule.occursAt(dueAtMs)) return false;
  const { maxRuns } = schedule;
  if (maxRuns === undefined) return true;
  // a job that was replanned counts on from what ran by then
  const base = job.runsBase;
  if (base && dueAtMs > base.atMs)
    return base.count + schedule.count(base.atMs, dueAtMs - 1, maxRuns) < maxRuns;
  return schedule.count(job.scheduleChangedAtMs, dueAtMs - 1, maxRuns) < maxRuns;
}

/** Versions of a job that were in the table at some moment of a period. */
export const versionsIn = (
  { versions }: Story,
  jobKey: string,
  fromMs: number,
  untilMs: number,
): JobVersion[] =>
  (versions.get(jobKey) ?? []).filter((version) => version.fromMs <= untilMs && version.untilMs >= fromMs);

export const isManual = (execId: string): boolean => runOf(execId).includes('-');
export const isTask = isTaskExecution;
export const userOf = (jobKey: string): string => jobRefOf(jobKey).userId;

export function groupBy<Value, Key>(
  values: readonly Value[],
  keyOf: (value: Value) => Key,
): Map<Key, Value[]> {
  const groups = new Map<Key, Value[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group) group.push(value);
    else groups.set(key, [value]);
  }
  return groups;
}
