import { type Command, Option } from 'commander';

import { CliError } from './exit-codes';
import { collect, tagOf } from './flag-values';
import { jsonOrFile } from './json-argument';
import { addRetryFlags, retryFromFlags, type RetryFlags } from './retry-flags';
import { scheduleOf } from './schedule-text';
import { type TargetFlags, targetOf } from './target-flags';

/** The flags that set fields of a job. A definition file can set every field. */
export interface DefinitionFlags extends RetryFlags, TargetFlags {
  name?: string;
  schedule?: string;
  timezone?: string;
  payload?: string;
  excludeCalendar?: string[];
  templates?: boolean;
  priority?: string;
  pool?: string;
  overlap?: string;
  misfire?: string;
  timeout?: string;
  orderingKey?: string;
  concurrencyKey?: string;
  onFailure?: string;
  expectEvery?: string;
  maxDuration?: string;
  minDuration?: string;
  externalId?: string;
  runTag?: string[];
  tag?: string[];
}

const SCHEDULE_HELP =
  'a cron expression, "every 30s", "in 10m", an RFC 3339 time, "rate(5 minutes)", "after JOB", "event NAME", ' +
  '"none", or JSON';

export const addDefinitionFlags = (command: Command): Command =>
  addPolicyFlags(addRetryFlags(addCallFlags(command)))
    .option('--tag <key=value>', 'set a tag; repeatable', collect)
    .option('--run-tag <template>', 'what its executions are found by; repeatable, at most 5', collect)
    .option('--external-id <template>', 'the name of its executions in your own system');

const addCallFlags = (command: Command): Command =>
  command
    .option('--name <text>', 'display name')
    .option('--schedule <text>', SCHEDULE_HELP)
    .option('--timezone <zone>', 'time zone of the schedule, such as Europe/Berlin')
    .option('--http <url>', 'the URL to call')
    .addOption(
      new Option('--method <method>', 'HTTP method of the call').choices([
        'GET',
        'POST',
        'PUT',
        'PATCH',
        'DELETE',
      ]),
    )
    .option('--header <name:value>', 'HTTP header of the call; repeatable', collect)
    .option('--cloud-events', 'with --http: a delivery is an event of CloudEvents 1.0')
    .option('--queue <name>', 'the work queue whose workers run it')
    .option('--ping-within <duration>', 'it runs elsewhere, and pings so soon after each due time')
    .option('--lambda <arn>', 'the Lambda function to invoke, or a version or alias of it')
    .option('--durable <arn>', 'a version or alias of the durable Lambda function to run to its end')
    .option('--sqs <url>', 'the SQS queue to send to')
    .option('--sns <arn>', 'the SNS topic to publish to')
    .option('--state-machine <arn>', 'the Step Functions state machine to start')
    .option('--wait', 'with --state-machine: an attempt ends when the execution there ends, as it ends')
    .option('--ecs <arn>', 'the task definition of ECS to start a task of: an attempt ends when it ends')
    .option('--cluster <arn>', 'with --ecs: the cluster that runs the task')
    .option('--container <name>', 'with --ecs: the container that gets payload and ids as variables')
    .option('--batch <arn>', 'the job definition of Batch to submit a job of: an attempt ends when it ends')
    .option('--job-queue <arn>', 'with --batch: the queue of Batch that gets the job')
    .option('--glue <arn>', 'the Glue job to start a run of: an attempt ends when it ends')
    .option(
      '--argument <name=value>',
      'with --glue: an argument of the run, such as --day=7; repeatable',
      collect,
    )
    .option('--codebuild <arn>', 'the CodeBuild project to start a build of: an attempt ends when it ends')
    .option('--env <name=value>', 'with --ecs, --batch, --codebuild: a variable; repeatable', collect)
    .option('--aws <action>', 'the action of AWS to call, such as kinesis:PutRecord')
    .option('--input <json>', 'with --aws: what the action takes; @FILE reads it from a file')
    .option('--event-bus <name>', 'the EventBridge bus to put an event on')
    .option('--event-source <text>', 'with --event-bus: the source of the event')
    .option('--detail-type <text>', 'with --event-bus: its detail type')
    .option('--payload <json>', 'JSON that the target receives; @FILE reads it from a file')
    .option('--exclude-calendar <id>', 'do not run on the days of this calendar; repeatable', collect)
    .option('--templates', 'payload, headers and URL have templates: {{ run.day }}')
    .option('--no-templates', 'braces are text');

const addPolicyFlags = (command: Command): Command =>
  command
    .addOption(
      new Option('--priority <priority>', 'priority of its executions').choices([
        'highest',
        'high',
        'medium',
        'low',
        'lowest',
      ]),
    )
    .option('--pool <pool>', 'the pool whose queues and executors run it')
    .addOption(
      new Option('--overlap <policy>', 'what to do if the previous execution is still running').choices([
        'allow',
        'skip',
        'queue',
        'replace',
      ]),
    )
    .addOption(
      new Option('--misfire <policy>', 'what to do with occurrences that are found late').choices([
        'fire-now',
        'fire-once',
        'fire-all',
        'skip',
      ]),
    )
    .option('--timeout <duration>', 'time limit of one attempt')
    .option('--ordering-key <key>', 'executions with the same key run one at a time')
    .option('--concurrency-key <key>', 'executions with the same key run a limited number at a time')
    .addOption(
      new Option('--on-failure <policy>', 'what a failed execution does to its ordering key').choices([
        'continue',
        'block',
      ]),
    )
    .option('--expect-every <duration>', 'tell notifications if it has no success for so long, such as 25h')
    .option('--max-duration <duration>', 'tell notifications on slow of a success that takes longer')
    .option('--min-duration <duration>', 'tell notifications on quick of a success that takes less');

/** The fields that the flags set, in the form of the API. Fields without a flag are absent. */
export function definitionFromFlags(flags: DefinitionFlags): Record<string, unknown> {
  const { name, templates, priority, pool, overlap, timeout, onFailure } = flags;
  const { orderingKey, concurrencyKey, expectEvery, runTag: runTags, externalId } = flags;
  const given: Record<string, unknown> = {
    name,
    templates,
    priority,
    pool,
    overlap,
    timeout,
    orderingKey,
    concurrencyKey,
    expectEvery,
    onFailure,
    runTags,
    externalId,
  };
  if (flags.schedule !== undefined) given.schedule = scheduleOf(flags.schedule, flags);
  else if (flags.timezone !== undefined) given.schedule = { timezone: flags.timezone };
  const target = targetOf(flags);
  if (target) given.target = target;
  const { maxDuration: max, minDuration: min } = flags;
  if (max !== undefined || min !== undefined) given.expectDuration = { max, min };
  if (flags.payload !== undefined) given.payload = jsonOrFile('--payload', flags.payload);
  if (flags.excludeCalendar) given.schedule = excluding(given.schedule, flags.excludeCalendar);
  given.retry = retryFromFlags(flags);
  if (flags.misfire !== undefined) given.misfire = { policy: flags.misfire };
  if (flags.tag) given.tags = Object.fromEntries(flags.tag.map((text) => tagOf(text)));
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** The schedule, without the days of calendars. */
function excluding(schedule: unknown, calendars: readonly string[]): Record<string, unknown> {
  const exclude = calendars.map((calendar) => ({ calendar }));
  if (schedule === undefined) return { exclude };
  const { type } = schedule as { type?: unknown };
  if (type === 'cron' || type === 'interval') return { ...(schedule as object), exclude };
  throw new CliError('--exclude-calendar is for a --schedule that recurs: a cron expression, or "every 30s"');
}
