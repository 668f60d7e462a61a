import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROUTES } from '../../../lambdas/core/contracts/routes';

/** What a page calls for an operation of the API: text of the console's sources. */
const CALLS: Readonly<Record<string, string>> = {
  getMe: 'api.me(',
  getUsage: 'api.usage(',
  createJob: 'api.jobs.create(',
  listJobs: 'api.jobs.pageOfSummaries(',
  getJob: 'api.jobs.get(',
  patchJob: 'api.jobs.patch(',
  deleteJob: 'api.jobs.delete(',
  putJob: 'api.jobs.put(',
  pauseJob: 'api.jobs.pause(',
  resumeJob: 'api.jobs.resume(',
  runJob: 'api.jobs.run(',
  listUpcoming: 'api.jobs.upcoming(',
  listJobChanges: 'api.changes.list(',
  restoreJob: 'api.changes.restore(',
  startBackfill: 'api.backfills.start(',
  listBackfills: 'api.backfills.list(',
  listAllBackfills: 'api.backfills.listAll(',
  getBackfill: 'api.backfills.get(',
  listExecutions: 'api.executions.list(',
  getExecution: 'api.executions.get(',
  cancelExecution: 'api.executions.cancel(',
  retryExecution: 'api.executions.retry(',
  listTasks: 'api.tasks.list(',
  getTask: 'api.tasks.get(',
  cancelTask: 'api.tasks.cancel(',
  listItems: 'api.tasks.items(',
  getItem: 'api.tasks.item(',
  retryTask: 'api.runs.retryTask(',
  skipTask: 'api.runs.skip(',
  approveTask: 'api.runs.approve(',
  rejectTask: 'api.runs.reject(',
  pauseRun: 'api.runs.pause(',
  resumeRun: 'api.runs.resume(',
  listWaiting: 'api.runs.waiting(',
  listVersions: 'api.tasks.versions(',
  getVersion: 'api.tasks.version(',
  getExecutionLog: 'api.executions.log(',
  getTaskLog: 'api.tasks.log(',
  listWorkQueues: 'api.workQueues.list(',
  getWorkQueue: 'api.workQueues.get(',
  getPingKey: 'api.jobs.ping(',
  getJobStats: 'api.jobs.stats(',
  explainOccurrence: 'api.jobs.explain(',
  listExecutionsOfJobs: 'api.executions.pageOfJobs(',
  getStats: 'api.executions.stats(',
  listUpcomingOfJobs: 'api.upcoming(',
  getLoad: 'api.load(',
  getOrderingKey: 'api.orderingKey(',
  unblockOrderingKey: 'api.unblock(',
  listFailures: 'api.failures(',
  putFailureAck: 'api.failureAcks.set(',
  deleteFailureAck: 'api.failureAcks.remove(',
  bulk: 'api.bulk(',
  previewSchedule: 'api.preview(',
  getSigningSecret: 'api.signingSecret(',
  rotateSigningSecret: 'api.rotateSigningSecret(',
  listConcurrencyKeys: 'api.concurrencyKeys.list(',
  putConcurrencyKey: 'api.concurrencyKeys.set(',
  deleteConcurrencyKey: 'api.concurrencyKeys.remove(',
  listSecrets: 'api.secrets.list(',
  putSecret: 'api.secrets.set(',
  deleteSecret: 'api.secrets.remove(',
  listCalendars: 'api.calendars.list(',
  getCalendar: 'api.calendars.get(',
  putCalendar: 'api.calendars.put(',
  deleteCalendar: 'api.calendars.remove(',
  listNotifications: 'api.notifications.list(',
  putNotification: 'api.notifications.set(',
  deleteNotification: 'api.notifications.remove(',
  testNotification: 'api.notifications.test(',
  createApiKey: 'api.apiKeys.create(',
  listApiKeys: 'api.apiKeys.list(',
  revokeApiKey: 'api.apiKeys.revoke(',
  listAudit: 'api.audit(',
  getStatus: 'api.admin.status(',
  stopDeployment: 'api.admin.stop(',
  startDeployment: 'api.admin.start(',
  redriveQueue: 'api.admin.redrive(',
};

/** Operations that no page calls, and why. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  getHealth: 'for load balancers and monitors; a page sees that the API does not answer',
  getOpenApi: 'the document is linked from the local page and the docs',
  getApiVersion: 'a page has the version of its deployment: both are deployed together',
  getProblem: 'a link, for people who read an answer of the API',
  getSignIn: '`config.json` has the same, without a request to the API',
  createJobs: 'many jobs at once come from files: plan and apply',
  getJobChange: 'the list of changes has all of it',
  deleteJobChange: 'an owner removes a definition by hand, on the command line, with a note',
  lookupExecutions: 'the list of the day reads again what has not ended',
  sendEvent: 'programs send events',
  runJobMany: 'programs ask for many runs at once; the console runs a job once',
  cancelKeyedRun: 'a run is cancelled on its page; programs know its key',
  getConcurrencyKey: 'the list has what holds each key and what waits',
  listFailureAcks: 'each cause shows who knows about it',
  rotatePingKey: 'on the command line, beside the job whose URL changes',
  getProjectPingKey: 'who sets up machines that ping has the command line at hand',
  putProjectPingKey: 'on the command line, once for a project',
  deleteProjectPingKey: 'on the command line, once for a project',
  rotateProjectPingKey: 'on the command line, beside the machines whose URL changes',
  provisionMonitor: 'the function of pings asks for new monitors',
  getSecret: 'the list has the same fields',
  getNotification: 'the list has all but the state of an email subscription',
  revokeApiKeys: 'all keys of one person at once, when that person leaves: on the command line',
  heartbeatAttempt: 'for targets, with the token of an attempt',
  completeAttempt: 'for targets, with the token of an attempt',
  failAttempt: 'for targets, with the token of an attempt',
  appendLog: 'workers and targets append to a log',
  claimWork: 'workers claim work',
  releaseWork: 'workers release work',
  checkWorkflow: 'the form draws the graph as it is typed, and a save says what is wrong',
};

const folder = join(__dirname, '../../../console');
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => readFileSync(join(folder, name), 'utf8'))
  .join('\n');

test('each operation of the API is called by a page, or has a reason why not', () => {
  const unknown = ROUTES.map(({ operation }) => operation).filter(
    (operation) => !(operation in CALLS) && !(operation in EXCEPTIONS),
  );
  expect(unknown).toEqual([]);
});

test.each(Object.entries(CALLS))('%s is called', (operation, text) => {
  expect(EXCEPTIONS).not.toHaveProperty(operation);
  expect(sources).toContain(text);
});

test('no list names an operation that is gone', () => {
  const present = new Set<string>(ROUTES.map(({ operation }) => operation));
  expect([...Object.keys(CALLS), ...Object.keys(EXCEPTIONS)].filter((one) => !present.has(one))).toEqual([]);
});
