import { type Document, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';

import type { CalendarDefinition, NotificationDefinition } from '../../client';
import { calendarProblems } from '../calendars/calendar-file';
import { CliError } from '../exit-codes';
import { type Definition, DEFINITION_FIELDS } from './definition';
import { isObject } from '../is-object';
import { valueOf, yamlProblems } from '../read-definition';
import { scheduleOf } from '../schedule-text';
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
}

const JOB_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const FILE_KEYS = ['defaults', 'calendars', 'notifications', 'jobs'];
const JOB_KEYS: readonly string[] = ['jobId', 'paused', ...DEFINITION_FIELDS];
/** Objects of which a job and the file's defaults can each give some fields. */
const MERGED = ['tags', 'retry', 'misfire'];

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
  return parseFile(text, path, variables).jobs;
}

/** The same, with the calendars and notifications of the file. A file may have these alone. */
export function parseFile(text: string, path: string, variables: Variables = () => undefined): FileContent {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const broken = yamlProblems([...document.errors, ...document.warnings], lines, path);
  if (broken.length > 0) throw new FileError(broken);
  const unset = substitute(document, { lines, path, variables });
  if (unset.length > 0) throw new FileError(unset);
  return new Reader(document, lines, path).read();
}

class Reader {
  private readonly problems: string[] = [];

  constructor(
    private readonly document: Document.Parsed,
    private readonly lines: LineCounter,
    private readonly path: string,
  ) {}

  read(): FileContent {
    const top = this.document.contents;
    if (!isMap(top)) throw new FileError([`${this.path}: expected an object with jobs`]);
    this.checkKeys([], FILE_KEYS, { extensible: true });
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
      this.checkKeys(
        ['defaults'],
        JOB_KEYS.filter((key) => key !== 'jobId'),
      );
    const known = calendars === undefined ? [] : this.calendarsOf(calendars);
    const notified = notifications === undefined ? [] : this.notificationsOf(notifications);
    const given = jobs === undefined && known.length + notified.length > 0 ? [] : this.jobsOf(jobs);
    const read = given.map(([at, jobId, job]) =>
      this.job(at, jobId, job, isObject(defaults) ? defaults : {}),
    );
    this.checkDuplicates(read);
    if (this.problems.length > 0) throw new FileError(this.problems);
    return { calendars: known, notifications: notified, jobs: read };
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
      return { id, value, where: (field = '') => this.where([...at, ...field.split('.').filter(Boolean)]) };
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
    throw new FileError([`${this.where(['jobs'])}: jobs: must be a list, or an object with jobIds as keys`]);
  }

  private job(at: (string | number)[], jobId: unknown, job: unknown, defaults: Definition): FileJob {
    const name = typeof jobId === 'string' ? jobId : at.join('.');
    if (typeof jobId !== 'string' || !JOB_ID.test(jobId))
      this.problem(
        [...at, 'jobId'],
        name,
        'jobId: must be 1 to 64 letters, digits, ".", "_" or "-", the first a letter or digit',
      );
    if (!isObject(job)) {
      this.problem(at, name, 'must be an object with the fields of a job');
      return { jobId: name, definition: {}, where: () => this.where(at) };
    }
    this.checkKeys(at, JOB_KEYS, { name });
    if (typeof at[1] === 'string' && job.jobId !== undefined && job.jobId !== at[1])
      this.problem([...at, 'jobId'], name, `jobId: must be ${JSON.stringify(at[1])} or be left out`);
    const { jobId: _, paused, ...definition } = withFileDefaults(job, defaults);
    if (paused !== undefined && typeof paused !== 'boolean')
      this.problem([...at, 'paused'], name, 'paused: must be true or false');
    const hasWork = definition.targets !== undefined || definition.workflow !== undefined;
    for (const field of ['schedule', ...(hasWork ? [] : ['target'])]) {
      if (definition[field] === undefined) this.problem(at, name, `${field}: is missing`);
    }
    if (typeof definition.schedule === 'string')
      definition.schedule = this.scheduleIn(definition.schedule, at, name);
    const where = (field = '') => this.where([...at, ...field.split('.').filter(Boolean)]);
    return { jobId: name, paused: paused as boolean | undefined, definition, where };
  }

  /** A schedule in words, as the command line takes it. */
  private scheduleIn(text: string, at: (string | number)[], name: string): unknown {
    try {
      return scheduleOf(text);
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      this.problem([...at, 'schedule'], name, `schedule: ${error.message}`);
      return text;
    }
  }

  private checkDuplicates(jobs: readonly FileJob[]): void {
    const seen = new Map<string, FileJob>();
    for (const job of jobs) {
      const first = seen.get(job.jobId);
      if (first) this.problems.push(`${job.where()}: ${job.jobId}: is already defined at ${first.where()}`);
      seen.set(job.jobId, job);
    }
  }

  /** With `extensible`, keys that begin with `x-` are no problem. */
  private checkKeys(
    at: (string | number)[],
    known: readonly string[],
    { name, extensible = false }: { name?: string; extensible?: boolean } = {},
  ): void {
    const node = at.length === 0 ? this.document.contents : this.document.getIn(at, true);
    if (!isMap(node)) return;
    for (const { key } of node.items) {
      const text = isScalar(key) ? String(key.value) : String(key);
      if (known.includes(text) || (extensible && text.startsWith('x-'))) continue;
      this.problem([...at, text], name ?? at.join('.'), `${text}: is unknown; expected ${known.join(', ')}`);
    }
  }

  private problem(at: (string | number)[], name: string, message: string): void {
    this.problems.push([this.where(at), name, message].filter(Boolean).join(': '));
  }

  /** `jobs.yaml:12`: the line of the value at a path, or of its nearest parent. */
  private where(at: readonly (string | number)[]): string {
    for (let depth = at.length; depth >= 0; depth--) {
      const start = this.startOf(at.slice(0, depth));
      if (start !== undefined) return `${this.path}:${this.lines.linePos(start).line}`;
    }
    return this.path;
  }

  /** The offset of the value at a path. In an object, that of its key: the value may be on the next line. */
  private startOf(at: readonly (string | number)[]): number | undefined {
    const parent = at.length <= 1 ? this.document.contents : this.document.getIn(at.slice(0, -1), true);
    if (isMap(parent)) {
      const pair = parent.items.find(({ key }) => isScalar(key) && String(key.value) === String(at.at(-1)));
      if (pair && isNode(pair.key)) return pair.key.range?.[0];
    }
    const node = at.length === 0 ? this.document.contents : this.document.getIn(at, true);
    return isNode(node) ? node.range?.[0] : undefined;
  }
}

function withFileDefaults(job: Definition, defaults: Definition): Definition {
  const both = { ...defaults, ...job };
  for (const field of MERGED) {
    if (isObject(defaults[field]) && isObject(job[field]))
      both[field] = { ...defaults[field], ...job[field] };
  }
  return both;
}
