import { BULK_ACTIONS } from '../../../lambdas/core/contracts/bulk';
import type { Operation } from '../../../lambdas/core/contracts/routes';
import { BackfillBody } from '../../../lambdas/core/http/backfill';
import { NotificationBody } from '../../../lambdas/core/http/notification';
import { type Job, limitNameOf } from '../../../lambdas/core/domain/job';
import { CLIENT_OPERATIONS } from '../clients';
import type { LogRecord } from '../log';
import { type JobVersion, type Request, type Story, userOf, versionsIn } from '../story';
import { AS_THEY_ARE, featuresOf, type Folds } from './schema-features';

/** Operations that change something of a project and are no action of a client, and why. */
export const NOT_OF_CLIENTS: ReadonlyMap<Operation, string> = new Map<Operation, string>([
  ['heartbeatAttempt', 'targets and workers of the simulation send it'],
  ['completeAttempt', 'targets and workers of the simulation send it'],
  ['failAttempt', 'targets and workers of the simulation send it'],
  ['appendLog', 'a log has no part in the protocol'],
  ['claimWork', 'workers of the simulation send it'],
  ['releaseWork', 'workers of the simulation send it'],
  ['stopDeployment', 'operators of the simulation send it'],
  ['startDeployment', 'operators of the simulation send it'],
  ['redriveQueue', 'operators of the simulation redrive the queue itself'],
  ['runJobMany', 'it asks for each run as runJob does'],
  ['lookupExecutions', 'it reads'],
  ['putFailureAck', 'it says what users know of failures, and changes nothing of jobs'],
  ['deleteFailureAck', 'it says what users know of failures, and changes nothing of jobs'],
  ['checkWorkflow', 'it reads'],
  ['previewSchedule', 'it reads'],
  ['rotateSigningSecret', 'it is about signatures, which no target of the simulation checks'],
  ['rotatePingKey', 'it is about the URL of a monitor, and changes nothing of executions'],
  ['provisionMonitor', 'pings of the simulation ask for it'],
  ['createApiKey', 'it is about access, which the simulation grants'],
  ['revokeApiKey', 'it is about access, which the simulation grants'],
  ['revokeApiKeys', 'it is about access, which the simulation grants'],
]);

/** Their pairs with features are not counted, and why. */
const UNCOUNTED: ReadonlyMap<Operation, string> = new Map<Operation, string>([
  ['deleteCalendar', 'it is refused while a job names the calendar'],
]);

/** What clients of the simulation have done without asking for it. */
const CAUSED: readonly Operation[] = ['provisionMonitor'];
const MAINTENANCE = ['stopDeployment', 'startDeployment'] as const;
const OF_BACKFILLS: Folds = { ...AS_THEY_ARE, leaves: ['priority'] };
/** What the simulation asks for in no backfill. */
const NOT_ASKED = ['dryRun', 'params'];
/** Where a notification is sent does not count. It has `lateAfter` if and only if it tells of late ones. */
const OF_NOTIFICATIONS: Folds = { ...AS_THEY_ARE, leaves: ['target'] };
const NOT_COUNTED = ['lateAfter', 'severity'];

const backfillFeatures = (body?: unknown): string[] =>
  [...featuresOf(BackfillBody, OF_BACKFILLS, body === undefined ? undefined : { value: body })]
    .filter((feature) => !NOT_ASKED.includes(feature))
    .map((feature) => `startBackfill.${feature}`);

/** What a notification tells of, and how. */
export const notificationFeatures = (body?: unknown): string[] =>
  [...featuresOf(NotificationBody, OF_NOTIFICATIONS, body === undefined ? undefined : { value: body })]
    .filter((feature) => !NOT_COUNTED.includes(feature))
    .map((feature) => `putNotification.${feature}`);

/** The operations of which pairs with features are counted. A bulk counts by its action. */
export const COUNTED_OPERATIONS: readonly string[] = [
  ...CLIENT_OPERATIONS.filter((operation) => operation !== 'bulk' && !UNCOUNTED.has(operation)),
  ...BULK_ACTIONS.map((action) => `bulk=${action}`),
  ...CAUSED,
  ...backfillFeatures(),
  ...notificationFeatures(),
  ...MAINTENANCE,
];

/** What a user or an operator did, by the names of counted operations, and the jobs that it was about. */
export interface Done {
  names: readonly string[];
  jobs: readonly JobVersion[];
}

export function* doneIn(story: Story): Generator<Done> {
  for (const request of story.requests) {
    if (request.type !== 'ok') continue;
    yield { names: namesOf(request), jobs: jobsOf(request, story) };
  }
  for (const record of story.records) {
    const name = maintenanceIn(record);
    if (name) yield { names: [name], jobs: allJobs(record.t, record.t, story) };
  }
}

function namesOf({ operation, body }: Request): string[] {
  if (operation === 'bulk') return [`bulk=${String(body!.action)}`];
  if (operation === 'putNotification') return [operation, ...notificationFeatures(body)];
  return operation === 'startBackfill' ? [operation, ...backfillFeatures(body)] : [operation];
}

const maintenanceIn = (record: LogRecord): (typeof MAINTENANCE)[number] | undefined =>
  record.src === 'operator' && record.type === 'tick' ? MAINTENANCE[record.to === 'off' ? 0 : 1] : undefined;

const allJobs = (fromMs: number, untilMs: number, story: Story): JobVersion[] =>
  [...story.versions.keys()].flatMap((jobKey) => versionsIn(story, jobKey, fromMs, untilMs));

/** The jobs that a request was about, as they were then. */
function jobsOf(request: Request, story: Story): readonly JobVersion[] {
  const { operation, jobKey, fromMs, untilMs, body, created } = request;
  if (created) return created.flatMap((one) => versionsIn(story, one.jobKey, fromMs, untilMs));
  const isAbout = TESTS[operation as Operation];
  if (!isAbout) return versionsIn(story, jobKey, fromMs, untilMs);
  const name = jobKey.slice(userOf(jobKey).length + 1);
  return allJobs(fromMs, untilMs, story).filter(
    ({ job }) => job?.userId === userOf(jobKey) && isAbout(job, { name, body: body ?? {} }),
  );
}

type Test = (job: Job, asked: { name: string; body: Readonly<Record<string, unknown>> }) => boolean;

const usesCalendar: Test = ({ calendars = [] }, { name }) => calendars.some(({ id }) => id === name);
const hasKey: Test = ({ concurrencyKey }, { name }) =>
  concurrencyKey !== undefined && limitNameOf(concurrencyKey) === name;
const isOfProject: Test = () => true;

/** Whether a job is one of those that a request is about, if it is not about one job. */
const TESTS: Partial<Record<Operation, Test>> = {
  putCalendar: usesCalendar,
  deleteCalendar: usesCalendar,
  putConcurrencyKey: hasKey,
  deleteConcurrencyKey: hasKey,
  putSecret: isOfProject,
  deleteSecret: isOfProject,
  putNotification: isOfProject,
  deleteNotification: isOfProject,
  testNotification: isOfProject,
  putProjectPingKey: isOfProject,
  rotateProjectPingKey: isOfProject,
  deleteProjectPingKey: isOfProject,
  provisionMonitor: isOfProject,
  unblockOrderingKey: ({ orderingKey }, { body }) => orderingKey === body.orderingKey,
  sendEvent: ({ schedule }, { name }) =>
    typeof schedule === 'object' && schedule.type === 'event' && schedule.name === name,
  bulk: ({ jobId, name = '', tags }, { body }) => {
    const { q = '', tag = [] } = body.filter as { q?: string; tag?: readonly string[] };
    const hasTags = tag.every((one) =>
      Object.entries(tags).some(([key, value]) => `${key}:${value}` === one),
    );
    return hasTags && (jobId.startsWith(q) || name.startsWith(q));
  },
};
