/** What the addresses of some pages name. */
export interface PageIds {
  /** An execution of `blocks`, and the cause of its failure. */
  failed: string;
  cause: string;
  /** A run of `nightly`, whose task `load` has failed. */
  run: string;
  /** A run of `release`, whose task `approve` waits for an approval. */
  release: string;
  /** An execution of `load-orders` that a worker has done. */
  worked: string;
  /** A backfill of `on-workdays`. */
  backfill: string;
}

type ListedPage = readonly [path: string, parts: readonly string[]];

const WORKFLOW_EDITOR = [
  'workflow-editor',
  'workflow-insert',
  'workflow-preview',
  'workflow-problems',
  'workflow-sample',
];

const workflowPages = ({ run, release }: PageIds): readonly ListedPage[] => [
  ['/workflows', ['workflows']],
  ['/workflows/nightly', ['graph', 'runs', 'versions']],
  [
    '/workflows/nightly?task=load',
    ['graph', 'runs', 'task-definition', 'task-input', 'task-target', 'versions'],
  ],
  [`/jobs/nightly/executions/${run}`, ['gantt', 'graph']],
  [
    `/jobs/nightly/executions/${run}?task=load`,
    ['gantt', 'graph', 'task', 'task-actions', 'task-answer', 'task-attempts', 'task-input', 'task-target'],
  ],
  [
    `/jobs/release/executions/${release}?task=approve`,
    ['gantt', 'graph', 'task', 'task-actions', 'task-target'],
  ],
  [
    `/jobs/release/executions/${release}?task=parts`,
    ['gantt', 'graph', 'task', 'task-actions', 'task-items', 'task-target'],
  ],
  [
    '/jobs/~new?kind=workflow',
    [
      'definition-form',
      'job-json',
      'new-definition',
      'new-job',
      'new-schedule',
      'preview',
      'schedule-form',
      ...WORKFLOW_EDITOR,
    ],
  ],
  ['/jobs/nightly/definition', ['definition', 'definition-form', 'job-json', 'tabs', ...WORKFLOW_EDITOR]],
];

const SETTINGS: readonly ListedPage[] = [
  ['/settings', ['me', 'project', 'tabs', 'token']],
  ['/settings/preferences', ['preferences', 'tabs']],
  ['/settings/keys', ['api-keys', 'empty', 'tabs']],
  ['/settings/secrets', ['empty', 'secrets', 'tabs']],
  ['/settings/signing', ['signing', 'tabs']],
  ['/settings/notifications', ['empty', 'notifications', 'tabs']],
  ['/settings/audit', ['audit', 'tabs']],
];

/** Every page, with the parts that it has beside the shell. */
export const pagesWith = (ids: PageIds): readonly ListedPage[] => [
  [
    '/',
    [
      'busiest',
      'day-strip',
      'heat-map',
      'needs-you',
      'next-up',
      'numbers',
      'planned-load',
      'quota',
      'running-now',
      'trends',
      'waiting',
    ],
  ],
  ['/jobs', ['filters', 'jobs']],
  [
    '/jobs/~new',
    ['definition-form', 'job-json', 'new-definition', 'new-job', 'new-schedule', 'preview', 'schedule-form'],
  ],
  [
    '/jobs/invoice-42',
    ['ask', 'history', 'ledger', 'next', 'schedule-words', 'stats', 'tabs', 'target', 'trends'],
  ],
  [
    '/jobs/backup',
    ['ask', 'history', 'ledger', 'monitor', 'next', 'schedule-words', 'stats', 'tabs', 'trends'],
  ],
  ['/jobs/invoice-42/schedule', ['calendar', 'preview', 'schedule-edit', 'schedule-form', 'tabs']],
  ['/jobs/invoice-42/definition', ['definition', 'definition-form', 'job-json', 'tabs']],
  ['/jobs/invoice-42/backfills', ['backfills', 'empty', 'tabs']],
  ['/jobs/on-workdays/backfills', ['backfills', 'tabs']],
  [`/jobs/on-workdays/executions/${ids.backfill}`, ['dates', 'task-items']],
  ['/backfills', ['all-backfills']],
  ['/jobs/invoice-42/changes', ['changes', 'tabs']],
  ['/jobs/invoice-42/why?at=2026-11-17T08:30:00Z', ['ask', 'proof', 'tabs', 'verdict']],
  [`/jobs/blocks/executions/${ids.failed}`, ['attempts', 'response', 'facts', 'request', 'timeline']],
  [
    `/jobs/load-orders/executions/${ids.worked}`,
    ['attempts', 'facts', 'log', 'request', 'response', 'timeline'],
  ],
  ['/executions', ['counts', 'executions', 'filters']],
  ['/failures', ['failures', 'filters', 'group']],
  [
    `/failures/cause?cause=${encodeURIComponent(ids.cause)}`,
    ['cause-began', 'cause-excerpts', 'cause-executions', 'cause-jobs'],
  ],
  ...workflowPages(ids),
  ['/concurrency-keys', ['concurrency-key', 'concurrency-keys']],
  ['/queues', ['queue-at-work', 'queue-waiting', 'work-queues', 'workers']],
  ['/calendars', ['calendars']],
  ['/calendars/~new', ['calendar', 'calendar-months', 'new-calendar']],
  ['/calendars/de-holidays', ['calendar', 'calendar-months', 'calendar-users']],
  ['/ordering-keys?key=customer/42', ['find-key', 'key', 'known-keys']],
  ...SETTINGS,
  ['/deployment', ['dashboard', 'queues', 'shards', 'state']],
];
/** Parts around every page. */
export const SHELL = [
  'account',
  'find',
  'help',
  'live',
  'navigation',
  'theme',
  'title',
  'toasts',
  'top-bar',
  'zone',
];

/** Parts that a page has at some times: what is stale, blocked or quiet decides. */
export const SOMETIMES = [
  'empty',
  'no-failures',
  'quiet-minute',
  'read-only',
  'same-answer',
  'stale',
  'stops',
];
