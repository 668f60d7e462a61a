/**
 * What the Python client calls the operations of the API: `group.method`, or `method` of the client itself.
 * Every operation stands here, or in `ELSEWHERE`.
 */
export interface Named {
  /** `jobs.create`. */
  as: string;
  /** The argument that is the whole body: `job`, or `request?` for one that may be missing. */
  body?: string;
  /** Fields of the body that are arguments, in order. Those that end in `?` come after the others by name. */
  fields?: readonly string[];
  /** The type of what it returns, where the document has several, and the field of it that is returned. */
  returns?: string;
  only?: string;
  /** Fixed values of the query or of the body. */
  query?: Readonly<Record<string, string>>;
  fixed?: Readonly<Record<string, unknown>>;
  /** Query parameters that are no arguments. */
  without?: readonly string[];
  /** Repeating it might do it twice: it is tried again after 429 alone, and with a key of the caller. */
  once?: true;
  /** A POST that changes nothing: it needs no note. */
  reads?: true;
  /** A field of every answer, if it is not the first that the document requires. */
  expect?: string;
  /** What it does, where the words of the document are about something else. */
  doc?: string;
}

type Table = Readonly<Record<string, Named | readonly Named[]>>;

const JOBS: Table = {
  createJob: { as: 'jobs.create', body: 'job' },
  createJobs: [
    { as: 'jobs.create_batch', fields: ['jobs'], only: 'outcomes', without: ['dryRun'] },
    {
      as: 'jobs.dry_run_batch',
      fields: ['jobs', 'resume?'],
      query: { dryRun: 'true' },
      reads: true,
      doc: 'Check a batch, quotas included, and change nothing.',
    },
  ],
  listJobs: [
    { as: 'jobs.list', returns: 'Job', without: ['fields', 'history'] },
    {
      as: 'jobs.summaries',
      returns: 'JobSummary',
      query: { fields: 'summary' },
      doc: 'List jobs as summaries, which say how each last went.',
    },
  ],
  getJob: { as: 'jobs.get' },
  putJob: { as: 'jobs.put', body: 'job' },
  patchJob: { as: 'jobs.patch', body: 'changes' },
  deleteJob: { as: 'jobs.delete' },
  pauseJob: { as: 'jobs.pause', fields: ['until?'] },
  resumeJob: { as: 'jobs.resume' },
  runJob: { as: 'jobs.run', body: 'request?' },
  getPingKey: { as: 'jobs.ping' },
  rotatePingKey: { as: 'jobs.rotate_ping', fields: ['now?'], once: true },
  runJobMany: { as: 'jobs.run_many', fields: ['runs'], only: 'outcomes' },
  cancelKeyedRun: { as: 'jobs.cancel_run', fields: ['key'] },
  listUpcoming: { as: 'jobs.upcoming', only: 'times' },
  getJobStats: { as: 'jobs.stats' },
  explainOccurrence: { as: 'jobs.explain' },
  listJobChanges: { as: 'changes.list' },
  getJobChange: { as: 'changes.get' },
  deleteJobChange: { as: 'changes.delete' },
  restoreJob: { as: 'changes.restore' },
};

const EXECUTIONS: Table = {
  listExecutions: { as: 'executions.list' },
  getExecution: { as: 'executions.get' },
  cancelExecution: { as: 'executions.cancel', fields: ['force?'] },
  retryExecution: { as: 'executions.retry', body: 'request?', once: true },
  getExecutionLog: { as: 'executions.log' },
  listExecutionsOfJobs: { as: 'executions.list_of_jobs', returns: 'Execution' },
  getStats: { as: 'executions.stats' },
  lookupExecutions: { as: 'executions.lookup', fields: ['executions'], only: 'executions', reads: true },
  pauseRun: { as: 'runs.pause' },
  resumeRun: { as: 'runs.resume' },
  listWaiting: { as: 'runs.waiting' },
  approveTask: { as: 'runs.approve', body: 'decision?', once: true },
  rejectTask: { as: 'runs.reject', body: 'decision?', once: true },
  skipTask: { as: 'runs.skip', fields: ['branch?'], once: true },
  retryTask: { as: 'runs.retry_task', body: 'request?', once: true },
  listTasks: { as: 'tasks.list' },
  getTask: { as: 'tasks.get' },
  listItems: { as: 'tasks.items' },
  getItem: { as: 'tasks.item' },
  cancelTask: { as: 'tasks.cancel' },
  getTaskLog: { as: 'tasks.log' },
  checkWorkflow: { as: 'tasks.check', body: 'request', reads: true },
  listVersions: { as: 'tasks.versions' },
  getVersion: { as: 'tasks.version' },
  startBackfill: [
    { as: 'backfills.start', body: 'backfill', returns: 'Backfill', fixed: { dryRun: false } },
    {
      as: 'backfills.dry_run',
      body: 'backfill',
      returns: 'BackfillPlan',
      fixed: { dryRun: true },
      reads: true,
      doc: 'Say what a backfill would do and cost. Writes nothing.',
    },
  ],
  listBackfills: { as: 'backfills.list' },
  listAllBackfills: { as: 'backfills.list_all' },
  getBackfill: { as: 'backfills.get' },
};

const PROJECT: Table = {
  listWorkQueues: { as: 'work_queues.list' },
  getWorkQueue: { as: 'work_queues.get' },
  listCalendars: { as: 'calendars.list' },
  getCalendar: { as: 'calendars.get' },
  putCalendar: { as: 'calendars.put', body: 'calendar' },
  deleteCalendar: { as: 'calendars.delete' },
  listSecrets: { as: 'secrets.list' },
  getSecret: { as: 'secrets.get' },
  putSecret: { as: 'secrets.put', fields: ['value', 'hosts'] },
  deleteSecret: { as: 'secrets.delete' },
  listApiKeys: { as: 'api_keys.list' },
  createApiKey: { as: 'api_keys.create', body: 'key' },
  revokeApiKey: { as: 'api_keys.revoke' },
  revokeApiKeys: { as: 'api_keys.revoke_all_by', only: 'revoked' },
  listNotifications: { as: 'notifications.list' },
  getNotification: { as: 'notifications.get' },
  putNotification: { as: 'notifications.put', body: 'notification' },
  deleteNotification: { as: 'notifications.delete' },
  testNotification: { as: 'notifications.test' },
  listConcurrencyKeys: { as: 'concurrency_keys.list' },
  getConcurrencyKey: { as: 'concurrency_keys.get' },
  putConcurrencyKey: { as: 'concurrency_keys.put', body: 'definition' },
  deleteConcurrencyKey: { as: 'concurrency_keys.delete' },
  getProjectPingKey: { as: 'ping_key.get' },
  putProjectPingKey: { as: 'ping_key.put', body: 'definition?' },
  rotateProjectPingKey: { as: 'ping_key.rotate', fields: ['now?'], once: true },
  deleteProjectPingKey: { as: 'ping_key.delete' },
  getStatus: { as: 'admin.status' },
  stopDeployment: { as: 'admin.stop', fields: ['reason?'] },
  startDeployment: { as: 'admin.start' },
  redriveQueue: { as: 'admin.redrive', fields: ['queue', 'max'] },
};

const CLIENT: Table = {
  sendEvent: { as: 'send_event', body: 'event' },
  previewSchedule: {
    as: 'preview',
    fields: ['schedule', 'count?', 'from?'],
    returns: 'Preview',
    reads: true,
  },
  listUpcomingOfJobs: { as: 'upcoming' },
  listFailures: [
    { as: 'failures', returns: 'Execution', without: ['group'] },
    {
      as: 'failure_groups',
      returns: 'FailureGroups',
      query: { group: 'fingerprint' },
      without: ['limit'],
      expect: 'groups',
      doc: 'Failed and skipped executions, counted by cause.',
    },
  ],
  listFailureAcks: { as: 'failure_acks.list' },
  putFailureAck: { as: 'failure_acks.put', body: 'ack' },
  deleteFailureAck: { as: 'failure_acks.delete' },
  listAudit: { as: 'audit' },
  getOrderingKey: { as: 'ordering_key' },
  unblockOrderingKey: { as: 'unblock', fields: ['orderingKey'] },
  getSigningSecret: { as: 'signing_secret' },
  rotateSigningSecret: [
    { as: 'rotate_signing_secret', fields: ['host?'], returns: 'SigningSecret' },
    {
      as: 'end_legacy_signing',
      fixed: { legacy: false },
      returns: 'None',
      doc: 'End the legacy secret of the project. This is final.',
    },
  ],
  getApiVersion: { as: 'version' },
  getMe: { as: 'me' },
  getUsage: { as: 'usage' },
  getSignIn: { as: 'sign_in' },
  getOpenApi: { as: 'open_api' },
  getHealth: { as: 'health' },
};

export const OPERATIONS: Table = { ...JOBS, ...EXECUTIONS, ...PROJECT, ...CLIENT };

/** Operations that have their place in code by hand. */
export const ELSEWHERE: Readonly<Record<string, string>> = {
  bulk: 'Quarterjack.bulk: all pages under one key',
  getLoad: 'Quarterjack.load: the sum of all pages',
  getProblem: 'a page for people: the `type` of an error is its URL',
  heartbeatAttempt: 'Work and Attempt',
  completeAttempt: 'Work and Attempt',
  failAttempt: 'Work and Attempt',
  appendLog: 'Work',
  claimWork: 'Worker',
  releaseWork: 'Work',
  provisionMonitor: 'the function of pings: a ping with `create=1`',
};
