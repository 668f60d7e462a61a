/** Words for the codes of one field of the API. */
export type Words = Readonly<Record<string, string>>;

/** Why an execution or a task is, or ended, as it did. */
export const REASONS: Words = {
  overlap: 'overlap: the execution before was still running',
  misfire: 'misfire: found after its grace',
  paused: 'the job was paused',
  superseded: 'the schedule was changed before it was due',
  deleted: 'the job was deleted',
  'attempts-exhausted': 'attempts used up',
  'max-age': 'older than the maximum age of its retries',
  fatal: 'an error that a retry does not cure',
  crashed: 'its attempts were lost without an outcome',
  'blocked-target': 'the target may not be called',
  'bad-input': 'a template could not be rendered',
  'bad-payload': 'its payload does not fit the schema of the job',
  'unknown-job': 'its program has no such job',
  'bad-auth': 'the target’s token could not be obtained',
  'cancelled-by-user': 'cancelled by a user',
  'task-failed': 'a task has failed',
  'items-failed': 'items of its list have failed',
  'output-too-large': 'its result is too large to be kept',
  'delivery-depth': 'its messages caused one another too often',
  recursion: 'its runs start one another too deeply',
  'ordering-key': 'it waits for its ordering key',
  'concurrency-key': 'it waits for a slot of its concurrency key',
  'live-runs': 'too many runs are live',
  stopped: 'its run was stopped',
  'not-started': 'no worker asked for it in time',
  'no-ping': 'no ping came in time',
  'target-failed': 'its ping says that it has failed',
  'lost-sight': 'the end of its state machine is not known',
  'timed-out': 'it took longer than its time limit',
  awaiting: 'waits for another job',
  rejected: 'a user rejected it',
  'skipped-by-user': 'a user skipped it',
  'nothing-planned': 'nothing is planned in the window that it waits for',
  'upstream-failed': 'the job that it waits for has failed',
};

/** What has started an execution. */
export const TRIGGERS: Words = {
  schedule: 'its schedule',
  'catch-up': 'its schedule, after it was missed',
  manual: 'a user',
  after: 'the end of another job',
  event: 'an event',
  workflow: 'a run',
  backfill: 'a backfill',
  task: 'its run',
  ping: 'a ping of the job that it monitors',
};

/** What becomes of times that were missed. */
export const MISFIRES: Words = {
  'fire-now': 'each one runs',
  'fire-once': 'the last one runs',
  'fire-all': 'those of the last while run',
  skip: 'none runs',
};

/** What a job does that is due while its execution before is at work. */
export const OVERLAPS: Words = {
  allow: 'both run',
  skip: 'the new one is skipped',
  queue: 'the new one waits',
  replace: 'the old one is cancelled',
  respect: 'as the job says',
};

/** What the failure of a task or of a date leads to. */
export const AFTER_FAILURE: Words = {
  continue: 'go on',
  stop: 'start nothing new',
  cancel: 'cancel what runs',
};

/** The words for a code; one that this console does not know yet, as it is. */
export const wordsFor = (words: Words, code: string): string =>
  Object.hasOwn(words, code) ? words[code]! : code;
