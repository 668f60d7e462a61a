/** A schedule as its user wrote it, after validation. Strings are kept as given, because they are echoed. */
export type RecurringSpec = CronSpec | IntervalSpec;
export type ScheduleSpec = RecurringSpec | OneTimeSpec | ExternalSpec | ScheduleText;

/**
 * `every 5m`, `30 9 * * MON-FRI`, or an expression of AWS: `rate(5 minutes)`, `cron(0 9 ? * MON-FRI *)`,
 * `at(2026-12-01T09:00:00)`.
 */
type ScheduleText = string;

/** A calendar of the project, by its id. */
export interface CalendarRef {
  calendar: string;
}

export interface RecurringOptions {
  /** RFC 3339 or local time in `timezone`; inclusive. */
  startAt?: string;
  /** Exclusive. */
  endAt?: string;
  /** Bound on planned occurrences, skipped ones included. A change of schedule starts the count again. */
  maxRuns?: number;
  /** Window of a stable offset: a hash of the job inside it, e.g. `5m`. */
  jitter?: string;
  /**
   * Times not planned: dates (`2026-12-25`), ranges (`2026-12-24/2027-01-01`, inclusive), cron expressions,
   * and the times of calendars.
   */
  exclude?: (string | CalendarRef)[];
  /** Planned are only the times of any of these calendars. */
  only?: CalendarRef[];
  /**
   * What becomes of an excluded occurrence. Default: skip. Else it moves to the same local time of the
   * nearest day that is not excluded. Such a schedule is a cron expression of at most 24 fixed times a day.
   */
  onExcluded?: 'skip' | 'next-day' | 'previous-day';
  /** For local times that clocks skip or repeat. Default: shift, first. No effect if real spacing is kept. */
  dst?: { gap?: 'shift' | 'skip'; overlap?: 'first' | 'second' | 'both' };
}

export interface CronSpec extends RecurringOptions {
  type: 'cron';
  /** Five fields, six with seconds first, seven with a year last; or `@daily` and its like. */
  expression: string;
  /** IANA name. Default: UTC. */
  timezone?: string;
}

export interface IntervalSpec extends RecurringOptions {
  type: 'interval';
  /** `30s`, `36h`, `7d`, `PT30S`, `P1M`. */
  every: string;
  /** Occurrences are anchor + k × every. Default: they count from the change of the schedule. */
  anchor?: string;
  timezone?: string;
}

export type OneTimeSpec = { type: 'at'; at: string; timezone?: string } | { type: 'delay'; delay: string };

/** Has no due times: something else than the clock starts its executions. */
export type ExternalSpec = { type: 'none' } | AfterSpec | EventSpec;

/** How an execution of an upstream job has to end. `done`: any end of one that was claimed. */
export const UPSTREAM_ENDS = ['succeeded', 'failed', 'done'] as const;
export type UpstreamEnd = (typeof UPSTREAM_ENDS)[number];

/** Ends of other jobs' executions start it. */
export interface AfterSpec {
  type: 'after';
  /** Their ids: jobs of the same project. */
  jobs: string[];
  /** Absent: `succeeded`. */
  on?: UpstreamEnd;
}

/** Events that clients send start it. */
export interface EventSpec {
  type: 'event';
  name: string;
  /** Fields of the event's data, and the value that each must have. Absent: any event of the name. */
  where?: Record<string, string | number | boolean | null>;
  /** Events of one key within this time start one execution, this long after the last of them. */
  debounce?: string;
}

const EXTERNAL_TYPES = ['none', 'after', 'event'] as const satisfies ExternalSpec['type'][];

/** Whether something else than the clock starts the executions of a schedule. */
export const isExternal = (spec: ScheduleSpec): spec is ExternalSpec =>
  typeof spec !== 'string' && (EXTERNAL_TYPES as readonly string[]).includes(spec.type);

/** Whether nothing but its definition gives a payload to what the schedule of a job starts. */
export const bringsNoPayload = (spec: ScheduleSpec): boolean => !isExternal(spec) || spec.type === 'after';
