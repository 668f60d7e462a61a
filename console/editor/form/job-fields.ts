import { PRIORITIES } from '../../parts/priorities';
import type { Fields, FormField, TextField } from './field';
import { CALLED_KINDS, TARGET_KINDS } from './target-kinds';

export interface Section {
  title: string;
  /** What is in it. */
  hint: string;
  fields: readonly FormField[];
}

const hasWorkflow = ({ workflow }: Fields): boolean => (workflow ?? undefined) !== undefined;
const hasTargets = ({ targets }: Fields): boolean => targets !== undefined;

export const NAME_FIELDS: readonly FormField[] = [
  { path: 'name', label: 'Name', kind: 'text', isWide: true },
];

/** What a job does, and with what. */
export const WORK_FIELDS: readonly FormField[] = [
  {
    path: 'target',
    label: 'Target',
    kind: 'one-of',
    kinds: TARGET_KINDS,
    isShown: (job) => !hasWorkflow(job) && !hasTargets(job),
  },
  {
    path: 'targets',
    label: 'Targets',
    kind: 'each',
    kinds: CALLED_KINDS,
    one: 'Target',
    isShown: hasTargets,
  },
  {
    path: 'payload',
    label: 'Payload',
    kind: 'json',
    hint: 'JSON: the body that the target gets',
    rows: 4,
    isShown: (job) => !hasWorkflow(job) || job.payload !== undefined,
  },
];

const timeout = (label: string, usual: string, isShown: (job: Fields) => boolean): TextField => ({
  path: 'timeout',
  label,
  kind: 'text',
  usual,
  isShown,
});

/** All else, closed until it is wanted. */
export const SECTIONS: readonly Section[] = [
  {
    title: 'Tries and times',
    hint: 'retry, time limit, overlap, missed times, priority',
    fields: [
      { path: 'retry.maxAttempts', label: 'Attempts', kind: 'number', usual: '3' },
      { path: 'retry.initialDelay', label: 'First pause', kind: 'text', usual: '10s' },
      { path: 'retry.multiplier', label: 'Each further pause is longer by', kind: 'number', usual: '2' },
      { path: 'retry.maxDelay', label: 'Longest pause', kind: 'text', usual: '1h' },
      {
        path: 'retry.jitter',
        label: 'Pauses are',
        kind: 'choice',
        usual: 'full',
        values: [
          ['full', 'random, up to that'],
          ['none', 'exactly that'],
        ],
      },
      { path: 'retry.maxAge', label: 'No attempt later than', kind: 'text', usual: '24h' },
      { path: 'retry.on', label: 'Statuses that are tried again', kind: 'words', usual: '408 425 429 5xx' },
      timeout('Time limit of an attempt', '5m', (job) => !hasWorkflow(job)),
      timeout('Time limit of a run', '24h', hasWorkflow),
      {
        path: 'overlap',
        label: 'While one still runs',
        kind: 'choice',
        usual: 'allow',
        values: [
          ['allow', 'the next one runs too'],
          ['skip', 'the next one is skipped'],
          ['queue', 'the next one waits'],
          ['replace', 'the next one takes its place'],
        ],
      },
      {
        path: 'misfire.policy',
        label: 'Missed times',
        kind: 'choice',
        usual: 'by its schedule',
        values: [
          ['fire-now', 'run now, however late'],
          ['fire-once', 'run the last one'],
          ['fire-all', 'run all'],
          ['skip', 'are skipped'],
        ],
      },
      { path: 'misfire.grace', label: 'Missed after', kind: 'text', usual: '60s' },
      { path: 'misfire.catchUpWindow', label: 'Caught up for', kind: 'text', usual: '1h' },
      { path: 'priority', label: 'Priority', kind: 'choice', usual: 'medium', values: PRIORITIES },
      { path: 'pool', label: 'Pool', kind: 'text', usual: 'default' },
    ],
  },
  {
    title: 'Keys',
    hint: 'one at a time, or a limited number at a time',
    fields: [
      { path: 'orderingKey', label: 'Ordering key', kind: 'text', hint: 'one execution at a time' },
      {
        path: 'onFailure',
        label: 'After a failure, its key',
        kind: 'choice',
        usual: 'continue',
        values: [
          ['continue', 'goes on'],
          ['block', 'is blocked'],
        ],
      },
      {
        path: 'concurrencyKey',
        label: 'Concurrency key',
        kind: 'text',
        hint: 'shares its limit with other jobs; one for each payload: crm.{{ payload.tenant }}',
        names: 'concurrency-keys',
      },
    ],
  },
  {
    title: 'Watching',
    hint: 'expected successes, pause after failures, calls at its end',
    fields: [
      { path: 'expectEvery', label: 'A success at least every', kind: 'text', hint: '25h, or it is late' },
      {
        path: 'expectDuration.max',
        label: 'A success takes at most',
        kind: 'text',
        hint: '1h, or it is slow',
      },
      {
        path: 'expectDuration.min',
        label: 'A success takes at least',
        kind: 'text',
        hint: '5m, or it is quick',
      },
      { path: 'pauseAfter.failures', label: 'Pause after so many failures in a row', kind: 'number' },
      {
        path: 'onEnd.succeeded',
        label: 'After a success, call',
        kind: 'one-of',
        kinds: CALLED_KINDS,
        none: 'nothing',
      },
      {
        path: 'onEnd.failed',
        label: 'After a failure, call',
        kind: 'one-of',
        kinds: CALLED_KINDS,
        none: 'nothing',
      },
    ],
  },
  {
    title: 'Templates and tags',
    hint: 'texts with {{ }}, the schema of payloads, tags, external id',
    fields: [
      { path: 'templates', label: 'Texts in {{ }} are templates', kind: 'flag' },
      {
        path: 'payloadSchema',
        label: 'Schema of payloads',
        kind: 'object',
        hint: 'JSON Schema',
        rows: 4,
      },
      { path: 'tags', label: 'Tags', kind: 'pairs', hint: 'team: billing, one a line' },
      {
        path: 'runTags',
        label: 'Run tags',
        kind: 'lines',
        hint: 'of each execution, one a line: day:{{ run.day }}',
      },
      {
        path: 'externalId',
        label: 'External id',
        kind: 'text',
        hint: 'of each execution: {{ payload.order }}',
        isWide: true,
      },
    ],
  },
];

/** Every field of a definition but its schedule. */
export const JOB_FIELDS: readonly FormField[] = [
  ...NAME_FIELDS,
  ...WORK_FIELDS,
  ...SECTIONS.flatMap(({ fields }) => fields),
];
