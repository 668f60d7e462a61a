import { type Document, isMap, isScalar, isSeq, LineCounter, parseDocument, type Scalar } from 'yaml';

import type { CalendarDefinition, FieldProblem, NotificationDefinition } from '../../client';
import { calendarProblems } from '../calendars/calendar-file';
import { closestOf } from '../../lambdas/core/contracts/suggestion';
import { unknownOf } from '../unknown';
import { CliError, explain } from '../exit-codes';
import { type Definition, DEFINITION_FIELDS } from './definition';
import { onlyKnown, scheduleIn, withFileDefaults } from './fields-of-job';
import { isObject } from '../is-object';
import { type FieldPath, partsOf, Positions } from '../positions';
import { valueOf, yamlProblems } from '../read-definition';
import { type FileNotification, notificationProblems } from './notification-plan';
import { substitute, type Variables } from './variables';

/** A job as a file defines it. */
export interface FileJob {
  jobId: string;
  /** Undefined if the file does not say. A paused job then stays paused. */
  paused?: boolean;
  definition: Definition;
  /** `jobs.yaml:12`: the position of a field (dotted path), or of its nearest parent in the file. */
  where(field?: string): string;
  /** What the file alone says about why a field may be wrong; empty if nothing. */
  hint?(field: string): string;
  /** What is wrong with it, as far as the file alone can say. */
  faults?: readonly FieldProblem[];
}

const JOB_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const FILE_KEYS = ['defaults', 'calendars', 'notifications', 'jobs'];
const JOB_KEYS: readonly string[] = ['jobId', 'paused', ...DEFINITION_FIELDS];
const DEFAULT_KEYS = JOB_KEYS.filter((key) => key !== 'jobId');

/** A calendar as a file defines it. */
export interface FileCalendar {
  calendarId: string;
  definition: CalendarDefinition;
  /** As of a job. */
  where(field?: string): string;
}

export interface FileContent {
  calendars: FileCalendar[];
  notifications?: FileNotification[];
  jobs: FileJob[];
  /** What is wrong beside the jobs, one line each. */
  problems?: readonly string[];
}

/** Everything that is wrong with a file, one problem per line of the message. */
export class FileError extends CliError {
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
  }
}

/**
 * Reads a file of jobs, in YAML or JSON:
 *
 *     defaults:              # for every job; a job's own fields override them
 *       tags: { managed-by: jobs.yaml }
 *     jobs:                  # by jobId; or a list, each with its jobId
 *       report:
 *         schedule: { type: cron, expression: 30 9 * * MON-FRI, timezone: Europe/Berlin }
 *         target: { type: http, url: https://example.com/report }
 *         paused: true       # only in files: the API has no such field
 *     calendars:             # by id, with the fields of PUT /v1/calendars/{calendarId}
 *       de-holidays: { timezone: Europe/Berlin, weekdays: [SAT, SUN], yearly: ["01-01"] }
 *     notifications:         # by id, with the fields of PUT /v1/notifications/{id}
 *       ops: { on: [failed, recovered], target: { type: http, url: "{{ secrets.slack }}" }, format: slack }
 *     x-hook: &hook          # ignored, as is any other key that begins with x-: for anchors
 *       type: http
 *
 * `tags`, `retry` and `misfire` of the defaults and of a job are merged. Variables in
 * values are replaced, see `substitute`. Throws a `FileError` that names file, line, job and field.
 */
export function parseJobsFile(text: string, path: string, variables?: Variables): FileJob[] {
  return checked(parseFile(text, path, variables)).jobs;
}

/** The content, if nothing is wrong with it. Throws a `FileError`. */
export function checked(content: FileContent): FileContent {
  const problems = problemsOf(content);
  if (problems.length > 0) throw new FileError(problems);
  return content;
}

export const problemsOf = ({ problems = [], jobs }: FileContent): string[] => [
  ...problems,
  ...jobs.flatMap((job) => (job.faults ?? []).map((fault) => problemText(fault, job))),
];

/** Asks the API. If it cannot be asked, what is wrong with the files goes before the reason. */
export async function askedBeside<Result>(content: FileContent, ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask();
  } catch (error) {
    const own = error instanceof FileError ? [] : problemsOf(content);
    if (own.length === 0) throw error;
    throw new FileError([...own, `the API could not be asked for more: ${explain(error)}`]);
  }
}

/** What is wrong with a field, with its line in the file. */
export const problemText = (
  { path, message }: FieldProblem,
  { jobId, where, hint }: Pick<FileJob, 'jobId' | 'where' | 'hint'>,
): string => [where(path), jobId, path, message].filter(Boolean).join(': ') + (hint?.(path) ?? '');

/**
 * Reads the jobs, calendars and notifications of a file. It may have no jobs. If a file is YAML, its problems
 * are returned with what could be read, so that the API can check the rest.
 */
export function parseFile(text: string, path: string, variables: Variables = () => undefined): FileContent {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
  const broken = yamlProblems([...document.errors, ...document.warnings], lines, path);
  if (broken.length > 0) throw new FileError(broken);
  const quoted = new Map<Scalar, string>();
  const unset = substitute(document, { lines, path, variables, quoted });
  const positions = new Positions(document, lines, path, quoted);
  const content = new Reader(document, positions, path, [...unset]).read();
  return unset.length > 0 ? checked(content) : content;
}

class Reader {
  constructor(
    private readonly document: Document.Parsed,
    private readonly positions: Positions,
    private readonly path: string,
    private readonly problems: string[],
  ) {}

  read(): FileContent {
    const top = this.document.contents;
    if (!isMap(top)) throw new FileError([`${this.path}: expected an object with jobs`]);
    for (const { at, message, where } of this.positions.repeated())
      this.problems.push([where, at.join('.'), message].join(': '));
    this.checkFileKeys();
    const {
      defaults = {},
      calendars,
      notifications,
      jobs,
    } = valueOf(this.document, this.path) as {
      defaults?: unknown;
      calendars?: unknown;
      notifications?: unknown;
      jobs?: unknown;
    };
    if (!isObject(defaults))
      this.problem(['defaults'], 'defaults', 'must be an object with the fields of a job');
    else
      for (const { path, message } of this.unknownIn(['defaults'], DEFAULT_KEYS))
        this.problem(['defaults', path], 'defaults', `${path}: ${message}`);
    const known = calendars === undefined ? [] : this.calendarsOf(calendars);
    const notified = notifications === undefined ? [] : this.notificationsOf(notifications);
    const given = jobs === undefined && known.length + notified.length > 0 ? [] : this.jobsOf(jobs);
    const inherited = isObject(defaults) ? onlyKnown(defaults, DEFAULT_KEYS) : {};
    const read = given.map(([at, jobId, job]) => this.job(at, jobId, job, inherited));
    this.checkDuplicates(read);
    return { calendars: known, notifications: notified, jobs: read, problems: this.problems };
  }

  private calendarsOf(calendars: unknown): FileCalendar[] {
    return this.namedOf('calendars', calendars, calendarProblems).map(({ id: calendarId, value, where }) => ({
      calendarId,
      definition: value as CalendarDefinition,
      where,
    }));
  }

  private notificationsOf(notifications: unknown): FileNotification[] {
    return this.namedOf('notifications', notifications, notificationProblems).map(({ id, value, where }) => ({
      id,
      definition: value as NotificationDefinition,
      where,
    }));
  }

  /** The objects under a key of the file, by their ids. */
  private namedOf(
    key: string,
    given: unknown,
    problemsOf: (value: unknown) => { field: string; message: string }[],
  ): { id: string; value: unknown; where: FileJob['where'] }[] {
    if (!isObject(given)) {
      this.problem([key], '', `${key}: must be an object with ids as keys`);
      return [];
    }
    return Object.entries(given).map(([id, value]) => {
      const at = [key, id];
      if (!JOB_ID.test(id))
        this.problem(at, id, 'must be 1 to 64 letters, digits, ".", "_" or "-", the first a letter or digit');
      for (const { field, message } of problemsOf(value))
        this.problem([...at, field], id, [field, message].filter(Boolean).join(': '));
      return { id, value, where: (field = '') => this.positions.of([...at, ...partsOf(field)]) };
    });
  }

  /** Each job with its path in the document. */
  private jobsOf(jobs: unknown): [at: (string | number)[], jobId: unknown, job: unknown][] {
    if (isSeq(this.document.get('jobs', true)))
      return (jobs as unknown[]).map((job, index) => [
        ['jobs', index],
        isObject(job) ? job.jobId : undefined,
        job,
      ]);
    if (isObject(jobs)) return Object.entries(jobs).map(([jobId, job]) => [['jobs', jobId], jobId, job]);
    if (jobs !== undefined || this.problems.length === 0)
      this.problem(['jobs'], '', 'jobs: must be a list, or an object with jobIds as keys');
    return [];
  }

  private job(at: FieldPath, jobId: unknown, job: unknown, defaults: Definition): FileJob {
    const name = typeof jobId === 'string' ? jobId : at.join('.');
    const faults: FieldProblem[] = [];
    const fault = (path: string, message: string) => void faults.push({ path, message });
    if (typeof jobId !== 'string' || !JOB_ID.test(jobId))
      fault('jobId', 'must be 1 to 64 letters, digits, ".", "_" or "-", the first a letter or digit');
    const common = { jobId: name, faults, ...this.positionsOf(at) };
    if (!isObject(job)) {
      fault('', 'must be an object with the fields of a job');
      return { ...common, definition: {} };
    }
    faults.push(...this.unknownIn(at, JOB_KEYS));
    if (typeof at[1] === 'string' && job.jobId !== undefined && job.jobId !== at[1])
      fault('jobId', `must be ${JSON.stringify(at[1])} or be left out`);
    const known = onlyKnown(job, JOB_KEYS);
    const { jobId: _, paused, ...definition } = withFileDefaults(known, defaults);
    if (paused !== undefined && typeof paused !== 'boolean') fault('paused', 'must be true or false');
    const meant = Object.keys(job).map((key) => (JOB_KEYS.includes(key) ? key : closestOf(key, JOB_KEYS)));
    const hasWork = ['targets', 'workflow'].some((field) => field in definition || meant.includes(field));
    for (const field of ['schedule', ...(hasWork ? [] : ['target'])])
      if (definition[field] === undefined && !meant.includes(field)) fault(field, 'is missing');
    if (typeof definition.schedule === 'string')
      definition.schedule = scheduleIn(definition.schedule, (message) => fault('schedule', message));
    return { ...common, paused: paused as boolean | undefined, definition };
  }

  /** A field stands in the job itself, or in the defaults that the job takes it from. */
  private positionsOf(at: FieldPath): Required<Pick<FileJob, 'where' | 'hint'>> {
    const pathOf = (field: string): FieldPath => {
      const own = [...at, ...partsOf(field)];
      const inherited = ['defaults', ...partsOf(field)];
      return field !== '' && !this.positions.has(own) && this.positions.has(inherited) ? inherited : own;
    };
    return {
      where: (field = '') => this.positions.of(pathOf(field)),
      hint: (field) => this.positions.hint(pathOf(field)),
    };
  }

  private checkDuplicates(jobs: readonly FileJob[]): void {
    if (!isSeq(this.document.get('jobs', true))) return; // repeated keys are told already
    const seen = new Map<string, FileJob>();
    for (const job of jobs) {
      const first = seen.get(job.jobId);
      if (first) this.problems.push(`${job.where()}: ${job.jobId}: is already defined at ${first.where()}`);
      seen.set(job.jobId, job);
    }
  }

  /** Keys that begin with `x-` are no problem. */
  private checkFileKeys(): void {
    for (const { path, message } of this.unknownIn([], FILE_KEYS))
      if (!path.startsWith('x-')) this.problem([path], '', `${path}: ${message}`);
  }

  /** The keys of an object of the file that are not known. */
  private unknownIn(at: FieldPath, known: readonly string[]): FieldProblem[] {
    const node = at.length === 0 ? this.document.contents : this.document.getIn(at, true);
    if (!isMap(node)) return [];
    const keys = node.items.map(({ key }) => (isScalar(key) ? String(key.value) : String(key)));
    return keys
      .filter((key) => !known.includes(key))
      .map((path) => ({ path, message: unknownOf(path, known) }));
  }

  private problem(at: FieldPath, name: string, message: string): void {
    const text = [this.positions.of(at), name, message].filter(Boolean).join(': ');
    this.problems.push(text + this.positions.hint(at));
  }
}
