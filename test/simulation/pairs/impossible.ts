/** Features that no job has together, and operations that no job with a feature takes. */
interface Impossible {
  pair: readonly [RegExp, RegExp];
  why: string;
  /** It is possible where a definition replaces another one. That is seldom, and not counted. */
  isSeldom?: true;
}

const ONE_TIME = /^schedule=(?:at|delay)$/;
const EXTERNAL = /^schedule(?:=(?:none|after|event)|\.(?:on|where|debounce)(?:=|$))/;
const RECURRING_OPTION =
  /^schedule\.(?:startAt|endAt|maxRuns|jitter|exclude|only|onExcluded|dst|anchor)(?:=|$)/;
const OF_WORKFLOWS = /^(?:workflow|task)(?:\.|=|$)/;
const OF_TARGETS = /^(?:targets?|payload|templates|concurrencyKey=derived)(?:\.|=|$)/;
const ON_RUNS = /^(?:cancelTask|retryTask|skipTask|approveTask|rejectTask|pauseRun|resumeRun)$/;
const BACKFILLS = /^startBackfill/;

/** Fields with one value: no definition has two. */
const WITH_ONE_VALUE = [
  'schedule',
  'schedule.on',
  'schedule.onExcluded',
  'priority',
  'overlap',
  'misfire.policy',
  'workflow.onTaskFailure',
].map((field): Impossible => {
  const value = new RegExp(`^${field.replaceAll('.', '\\.')}=`);
  return { pair: [value, value], why: `${field} has one value` };
});

/** What validation excludes. Everything else has to be played together. */
export const IMPOSSIBLE: readonly Impossible[] = [
  ...WITH_ONE_VALUE,
  { pair: [OF_WORKFLOWS, OF_TARGETS], why: 'a job has targets or a workflow, whose tasks have inputs' },
  { pair: [/^concurrencyKey=derived$/, /^overlap=replace$/], why: 'an older one would end a newer one' },
  {
    pair: [ON_RUNS, OF_TARGETS],
    why: 'only a job with a workflow has runs, and those of an earlier definition',
    isSeldom: true,
  },
  { pair: [ONE_TIME, RECURRING_OPTION], why: 'a one-time schedule has no options' },
  { pair: [EXTERNAL, RECURRING_OPTION], why: 'a schedule without due times has no options' },
  { pair: [/^schedule=string$/, /^schedule\./], why: 'a schedule as a text has no other fields' },
  { pair: [/^schedule=(?:delay|none|after|event)$/, /^schedule\.timezone$/], why: 'they have no local time' },
  { pair: [/^schedule=cron$/, /^schedule\.anchor$/], why: 'only an interval has an anchor' },
  {
    pair: [/^schedule=interval$|^schedule\.anchor$/, /^schedule\.onExcluded=(?:next|previous)-day$/],
    why: 'only a cron expression of fixed times is moved',
  },
  { pair: [/^schedule\.on=/, /^schedule=(?!after)/], why: 'only "after" has "on"' },
  { pair: [/^schedule\.(?:where|debounce)$/, /^schedule=(?!event)/], why: 'only "event" has these fields' },
  { pair: [/^schedule\.on=/, /^schedule\.(?:timezone|where|debounce)$/], why: 'they are of other schedules' },
  { pair: [/^schedule\.(?:where|debounce)$/, /^schedule\.timezone$/], why: 'they are of other schedules' },
  {
    pair: [EXTERNAL, BACKFILLS],
    why: 'a schedule without due times has nothing to backfill, unless an edit comes meanwhile',
    isSeldom: true,
  },
  {
    pair: [/^sendEvent$/, /^schedule(?:=(?!event)|\.(?!where|debounce))/],
    why: 'only jobs that wait for events are started by one',
  },
  {
    pair: [/^putCalendar$/, /^schedule(?:=(?!cron|interval)|\.(?:on=|where|debounce))/],
    why: 'only recurring schedules name calendars',
  },
  {
    pair: [/^target(?:=worker|\.startWithin)$/, /^targets$|^target=(?!worker)/],
    why: 'a worker is never one of several targets',
  },
  {
    pair: [
      /^target(?:=worker|\.startWithin)$/,
      /^target\.(?:method|headers|auth|tls|timeout|mode=async|observe|keepResponse|cloudEvents)$|^retry\.on$/,
    ],
    why: 'these fields are those of a target that is called',
  },
  {
    pair: [
      /^target\.wait$/,
      /^target=(?:http|worker)$|^targets$|^retry\.on$|^target\.(?:method|headers|auth|tls|timeout|mode=async|heartbeatTimeout|observe|keepResponse|cloudEvents|startWithin)$/,
    ],
    why: 'an errand is the one target of a job, and reports nothing itself',
  },
];
