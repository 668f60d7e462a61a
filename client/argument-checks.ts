/**
 * The names of all arguments, by class and method. This file is imported for its effect. The console leaves
 * it out, to save bytes: the compiler checks its calls.
 */
import { Admin } from './admin';
import { ApiKeys } from './api-keys';
import { checkArguments } from './arguments';
import { Backfills } from './backfills';
import { Calendars } from './calendars';
import { Changes } from './changes';
import { ConcurrencyKeys } from './concurrency-keys';
import { Executions } from './executions';
import { FailureAcks } from './failure-acks';
import { Jobs } from './jobs';
import { Listing } from './listing';
import { Notifications } from './notifications';
import { ProjectPings } from './ping-key';
import { Quarterjack } from './quarterjack';
import { Runs } from './runs';
import { Secrets } from './secrets';
import { Tasks } from './tasks';
import { WorkQueues } from './work-queues';

checkArguments(
  Quarterjack,
  {
    sendEvent: ['event', 'options?'],
    preview: ['schedule', 'options?'],
    upcoming: ['filter?', 'options?'],
    load: ['filter?', 'options?'],
    failureGroups: ['filter?', 'options?'],
    orderingKey: ['orderingKey', 'options?'],
    unblock: ['orderingKey', 'options?'],
    request: ['method', 'path', 'options?'],
    version: ['options?'],
    me: ['options?'],
    usage: ['options?'],
    signIn: ['options?'],
    openApi: ['options?'],
    signingSecret: ['options?'],
    rotateSigningSecret: ['options?'],
    endLegacySigning: ['options?'],
  },
  {
    failures: ['filter?', 'options?'],
    bulk: ['request', 'options?'],
    audit: ['filter?', 'options?'],
  },
);
checkArguments(
  Jobs,
  {
    create: ['job', 'options?'],
    createBatch: ['jobs', 'options?'],
    dryRunBatch: ['jobs', 'options?'],
    put: ['jobId', 'job', 'options?'],
    get: ['jobId', 'options?'],
    pageOfSummaries: ['query?', 'options?'],
    patch: ['jobId', 'changes', 'options?'],
    delete: ['jobId', 'options?'],
    pause: ['jobId', 'options?'],
    resume: ['jobId', 'options?'],
    run: ['jobId', 'body?', 'options?'],
    runMany: ['jobId', 'runs', 'options?'],
    cancelRun: ['jobId', 'key', 'options?'],
    stats: ['jobId', 'days?', 'options?'],
    explain: ['jobId', 'at?', 'options?'],
    ping: ['jobId', 'options?'],
    rotatePing: ['jobId', 'options?'],
    upcoming: ['jobId', 'count?', 'options?'],
  },
  { list: ['filter?', 'options?'], summaries: ['filter?', 'options?'] },
);
checkArguments(
  Changes,
  {
    get: ['jobId', 'number', 'options?'],
    restore: ['jobId', 'number', 'options?'],
    delete: ['jobId', 'number', 'options?'],
  },
  { list: ['jobId', 'query?', 'options?'] },
);
checkArguments(
  Executions,
  {
    log: ['jobId', 'execId', 'filter?', 'options?'],
    pageOfJobs: ['query?', 'options?'],
    stats: ['query?', 'options?'],
    get: ['jobId', 'execId', 'options?'],
    lookup: ['executions', 'options?'],
    wait: ['jobId', 'execId', 'options?'],
    cancel: ['jobId', 'execId', 'options?'],
    retry: ['jobId', 'execId', 'options?'],
  },
  { list: ['jobId', 'filter?', 'options?'], listOfJobs: ['filter?', 'options?'] },
);
checkArguments(
  Runs,
  {
    pause: ['jobId', 'execId', 'options?'],
    resume: ['jobId', 'execId', 'options?'],
    approve: ['jobId', 'execId', 'taskId', 'options?'],
    reject: ['jobId', 'execId', 'taskId', 'options?'],
    skip: ['jobId', 'execId', 'taskId', 'options?'],
    retryTask: ['jobId', 'execId', 'taskId', 'options?'],
  },
  { waiting: ['filter?', 'options?'] },
);
checkArguments(
  Backfills,
  {
    start: ['jobId', 'backfill', 'options?'],
    dryRun: ['jobId', 'backfill', 'options?'],
    get: ['jobId', 'execId', 'options?'],
    wait: ['jobId', 'execId', 'options?'],
  },
  { listAll: ['filter?', 'options?'], list: ['jobId', 'filter?', 'options?'] },
);
checkArguments(
  Tasks,
  {
    get: ['jobId', 'execId', 'taskId', 'options?'],
    item: ['jobId', 'execId', 'taskId', 'index', 'options?'],
    log: ['jobId', 'execId', 'taskId', 'filter?', 'options?'],
    cancel: ['jobId', 'execId', 'taskId', 'options?'],
    check: ['request', 'options?'],
    version: ['jobId', 'version', 'options?'],
  },
  {
    list: ['jobId', 'execId', 'filter?', 'options?'],
    items: ['jobId', 'execId', 'taskId', 'filter?', 'options?'],
    versions: ['jobId', 'options?'],
  },
);
checkArguments(WorkQueues, { get: ['queue', 'options?'] }, { list: ['options?'] });
checkArguments(
  Calendars,
  {
    put: ['calendarId', 'calendar', 'options?'],
    get: ['calendarId', 'options?'],
    remove: ['calendarId', 'options?'],
  },
  { list: ['filter?', 'options?'] },
);
checkArguments(
  Secrets,
  { set: ['name', 'secret', 'options?'], get: ['name', 'options?'], remove: ['name', 'options?'] },
  { list: ['filter?', 'options?'] },
);
checkArguments(
  ApiKeys,
  {
    create: ['definition', 'options?'],
    revoke: ['keyId', 'options?'],
    revokeAllBy: ['sub', 'options?'],
  },
  { list: ['options?'] },
);
checkArguments(
  Notifications,
  {
    set: ['id', 'definition', 'options?'],
    get: ['id', 'options?'],
    remove: ['id', 'options?'],
    test: ['id', 'options?'],
  },
  { list: ['filter?', 'options?'] },
);
checkArguments(
  ConcurrencyKeys,
  { set: ['key', 'definition', 'options?'], get: ['key', 'options?'], remove: ['key', 'options?'] },
  { list: ['filter?', 'options?'] },
);
checkArguments(
  FailureAcks,
  { set: ['ack', 'options?'], remove: ['fingerprint', 'options?'] },
  { list: ['filter?', 'options?'] },
);
checkArguments(
  ProjectPings,
  { get: ['options?'], set: ['definition?', 'options?'], rotate: ['options?'], remove: ['options?'] },
  {},
);
checkArguments(
  Admin,
  {
    status: ['options?'],
    stop: ['options?'],
    start: ['options?'],
    redrive: ['queue', 'max', 'options?'],
  },
  {},
);
checkArguments(Listing, { toArray: ['max?'] }, { pages: [] });

// Without an export, esbuild takes this file for CommonJS, and wraps each module that it imports.
// oxlint-disable-next-line typescript/no-useless-empty-export
export {};
