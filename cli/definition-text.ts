import { isObject } from './is-object';
import { describeSchedule } from './schedule-text';
import { plural } from './terminal/plural';
import { plain } from './terminal/table';
import { drawnTask } from './workflows/drawn-task';

type Fields = Record<string, unknown>;
export type Row = readonly [name: string, text: string | undefined];

/** Fields of a schedule that `describeSchedule` shows. */
const DESCRIBED = new Set(['type', 'expression', 'every', 'at', 'delay', 'timezone', 'jobs', 'name']);
/** Fields that hold the address of a target, one for each type. */
const ADDRESSES = [
  ...['url', 'functionArn', 'queueUrl', 'topicArn', 'stateMachineArn', 'taskDefinitionArn', 'eventBusName'],
  'queue',
  'pingWithin',
];
/** Headers whose values are credentials. Only `--json` shows these values. */
const SECRET_HEADER = /^(authorization|cookie|x-api-key|.*-(token|secret|key))$/i;

/** Each field of a definition that is set, as a name and a text. A field with its default has no row. */
export function definitionRows(definition: Fields): Row[] {
  const { schedule, payload, priority, pool, orderingKey, onFailure, runTags } = definition;
  return [
    ...scheduleRows(schedule),
    ...targetsOf(definition).flatMap(targetRows),
    ...workflowRows(definition.workflow),
    ['payload', payload === undefined ? undefined : plain(JSON.stringify(payload))],
    [
      'schema',
      definition.payloadSchema === undefined ? undefined : plain(JSON.stringify(definition.payloadSchema)),
    ],
    ['templates', definition.templates === true ? 'true' : undefined],
    ['priority', priority === 'medium' ? undefined : textOf(priority)],
    ['pool', pool === 'default' ? undefined : textOf(pool)],
    ...callRows(definition),
    ['ordering', orderingKey ? orderingText(orderingKey, onFailure) : undefined],
    ['concurrency', definition.concurrencyKey ? textOf(definition.concurrencyKey) : undefined],
    ['timeout', textOf(definition.timeout)],
    ['tags', tagsText(definition.tags)],
    ['run tags', Array.isArray(runTags) ? plain(runTags.join(', ')) : textOf(runTags)],
    ['external id', textOf(definition.externalId)],
    ['pause after', pauseAfterText(definition.pauseAfter)],
    ['expect every', textOf(definition.expectEvery)],
    ['expect duration', durationsText(definition.expectDuration)],
    ...onEndRows(definition.onEnd),
  ];
}

/** How an execution is called. Nothing calls a monitor: what the API shows of it are defaults. */
const callRows = ({ target, retry, misfire, overlap }: Fields): Row[] =>
  isObject(target) && target.type === 'monitor'
    ? []
    : [
        ['retry', retryText(retry)],
        ['misfire', misfireText(misfire)],
        ['overlap', textOf(overlap)],
      ];

const pauseAfterText = (pauseAfter: unknown): string | undefined =>
  isObject(pauseAfter) ? `${textOf(pauseAfter.failures)} failures in a row` : textOf(pauseAfter);

/** `at least 5m, at most 1h` */
function durationsText(expectDuration: unknown): string | undefined {
  if (!isObject(expectDuration)) return textOf(expectDuration);
  const { min, max } = expectDuration;
  return [min && `at least ${textOf(min)}`, max && `at most ${textOf(max)}`].filter(Boolean).join(', ');
}

/** The rows of each target, under a heading for its end. */
const onEndRows = (onEnd: unknown): Row[] =>
  isObject(onEnd)
    ? Object.entries(onEnd).flatMap(([end, target]) =>
        targetRows(target).map(([name, text], index): Row => [index === 0 ? `on ${end}` : name, text]),
      )
    : [];

export function scheduleRows(schedule: unknown): Row[] {
  if (schedule === undefined) return [];
  const extras = isObject(schedule) ? restOf(schedule, DESCRIBED) : [];
  return [['schedule', plain(describeSchedule(schedule))], ...extras];
}

function targetsOf({ target, targets }: Fields): unknown[] {
  if (Array.isArray(targets)) return targets as unknown[];
  return target === undefined || target === null ? [] : [target];
}

const TARGET_HEAD = new Set(['type', 'method', 'mode', 'headers', ...ADDRESSES]);

/** `POST https://example.com/hook (async)`, then a row for each of its other fields. */
function targetRows(target: unknown): Row[] {
  if (!isObject(target)) return [['target', textOf(target)]];
  const headers = isObject(target.headers) ? Object.entries(target.headers) : [];
  return [
    ['target', plain(headOf(target))],
    ...headers.map(([name, value]): Row => ['  header', plain(`${name}: ${headerText(name, value)}`)]),
    ...restOf(target, TARGET_HEAD),
  ];
}

function headOf(target: Fields): string {
  const address = ADDRESSES.map((name) => target[name]).find((one) => one !== undefined);
  const verb = target.type === 'http' ? (target.method ?? 'POST') : target.type;
  return [verb, address, target.mode === 'async' ? '(async)' : ''].filter(Boolean).map(String).join(' ');
}

const headerText = (name: string, value: unknown): string =>
  SECRET_HEADER.test(name) ? '(hidden: see --json)' : String(value);

/** `2026-12-25, calendar de-holidays`: one of several values that may be objects of one field. */
function itemText(value: unknown): string | undefined {
  const [entry, ...others] = isObject(value) ? Object.entries(value) : [];
  return entry && others.length === 0 ? `${entry[0]} ${textOf(entry[1])}` : textOf(value);
}

/** A row for each task of a workflow, and for its other fields. */
function workflowRows(workflow: unknown): Row[] {
  if (!isObject(workflow)) return [];
  const tasks = Object.entries(isObject(workflow.tasks) ? workflow.tasks : {});
  return [
    ['workflow', plural(tasks.length, 'task')],
    ...tasks.map(([id, task]): Row => [`  ${plain(id)}`, taskText(id, isObject(task) ? task : {})]),
    ...restOf(workflow, new Set(['tasks'])),
  ];
}

/** `POST https://example.com/load, for each item, after extract, check if failed`. */
function taskText(id: string, task: Fields): string {
  const { kind, notes, dependsOn, finally: when } = drawnTask(id, task);
  const does = isObject(task.target)
    ? [headOf(task.target), ...(task.forEach ? ['for each item'] : [])]
    : [kind];
  const after = dependsOn.map(({ from, label }) => (label ? `${from} (${label})` : from)).join(', ');
  const last = when === undefined ? [] : [`finally: ${when}`];
  return plain([...does, ...notes, ...(after ? [`after ${after}`] : []), ...last].join(', '));
}

/** A row for each field but those that are shown already. */
const restOf = (object: Fields, shown: ReadonlySet<string>): Row[] =>
  Object.entries(object)
    .filter(([name]) => !shown.has(name))
    .map(([name, value]): Row => [
      `  ${name}`,
      Array.isArray(value) ? plain(value.map(itemText).join(', ')) : textOf(value),
    ]);

/** The statuses that are retried by default, as JSON. */
const DEFAULT_ON = '[408,425,429,"5xx"]';

/**
 * `3 attempts, for statuses 409, random delays up to 10s, × 2 each time, at most 1h`, and the end of
 * `maxAge`.
 */
function retryText(retry: unknown): string | undefined {
  if (!isObject(retry)) return textOf(retry);
  const { maxAttempts, initialDelay, multiplier, maxDelay, maxAge, jitter } = retry;
  if (maxAttempts === 1) return '1 attempt';
  const delays =
    jitter === 'none'
      ? `delays of ${textOf(initialDelay)} without jitter`
      : `random delays up to ${textOf(initialDelay)}`;
  return [
    maxAttempts === undefined ? undefined : `${textOf(maxAttempts)} attempts`,
    retriedText(retry.on),
    initialDelay === undefined ? undefined : delays,
    multiplier === undefined ? undefined : `× ${textOf(multiplier)} each time`,
    maxDelay === undefined ? undefined : `at most ${textOf(maxDelay)}`,
    maxAge === undefined ? undefined : `none later than ${textOf(maxAge)} after the due time`,
  ]
    .filter(Boolean)
    .join(', ');
}

function retriedText(on: unknown): string | undefined {
  if (!Array.isArray(on) || JSON.stringify(on) === DEFAULT_ON) return undefined;
  return on.length === 0 ? 'for no status' : `for statuses ${on.map(textOf).join(' ')}`;
}

function misfireText(misfire: unknown): string | undefined {
  if (!isObject(misfire)) return textOf(misfire);
  const { policy, grace, catchUpWindow } = misfire;
  return [
    textOf(policy),
    grace === undefined ? undefined : `grace ${textOf(grace)}`,
    catchUpWindow === undefined ? undefined : `catch-up window ${textOf(catchUpWindow)}`,
  ]
    .filter(Boolean)
    .join(', ');
}

const orderingText = (key: unknown, onFailure: unknown): string =>
  `${textOf(key)}${onFailure === 'block' ? ' (a failure blocks the key)' : ''}`;

function tagsText(tags: unknown): string | undefined {
  if (!isObject(tags)) return textOf(tags);
  return Object.entries(tags)
    .map(([key, value]) => plain(`${key}:${String(value)}`))
    .join(' ');
}

/** A value as safe text: strings as they are, anything else as JSON. */
function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return plain(typeof value === 'string' ? value : JSON.stringify(value));
}
