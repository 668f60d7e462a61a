import type { Job } from '../../../client';
import { SOURCE_TAG } from '../../import/imported';
import { isObject } from '../../is-object';
import {
  type ApiDescription,
  type Definition,
  definitionOf,
  withDefaults,
} from '../../schedules-as-code/definition';
import { diff } from '../../schedules-as-code/diff';
import { type AwsTimes, timesForAws } from './expression';
import { secondsOf } from './length';
import { type AwsTarget, calledByAws } from './target';
import { Unexportable } from './unexportable';

/** A schedule as `aws scheduler create-schedule --cli-input-json` takes it. */
export interface AwsSchedule extends AwsTimes {
  Name: string;
  GroupName: string;
  Description?: string;
  State: 'ENABLED' | 'DISABLED';
  Target: AwsTarget;
}

export interface AwsExport {
  Schedules: AwsSchedule[];
  /** What differs there: one sentence each. */
  notes: { jobId: string; text: string }[];
  refused: { jobId: string; reason: string }[];
}

interface AwsOptions {
  roleArn: string;
  group: string;
  nowMs: number;
  api: ApiDescription;
}

/** Fields without which a job would do something else. */
const NEEDED: Readonly<Record<string, string>> = {
  workflow: 'it has a workflow',
  targets: 'it has several targets',
  templates: 'its payload is a template',
  overlap: 'its executions may not overlap',
  orderingKey: 'its executions keep the order of an ordering key',
  concurrencyKey: 'its executions are limited by a concurrency key',
  onEnd: 'it calls targets of onEnd',
};
/** Fields that change how a job is treated, and not what it does. */
const LOST = [
  ...['payloadSchema', 'priority', 'misfire', 'timeout', 'pauseAfter', 'expectEvery', 'expectDuration'],
  ...['runTags', 'externalId'],
];
const DELAYS = ['initialDelay', 'maxDelay', 'multiplier', 'jitter'];
const MAX_RETRIES = 185;
const [LEAST_AGE_SEC, MOST_AGE_SEC] = [60, 86_400];
const MAX_INPUT_BYTES = 262_144;

/** Translates jobs to schedules of EventBridge Scheduler. Gives the reason for each that has none. */
export function exportToAws(jobs: readonly Job[], options: AwsOptions): AwsExport {
  const result: AwsExport = { Schedules: [], notes: [], refused: [] };
  const jobIds = new Map<string, string>();
  for (const job of jobs) {
    try {
      const { schedule, notes } = scheduleOf(job, options);
      const other = jobIds.get(schedule.Name);
      if (other !== undefined)
        throw new Unexportable(`its name in the group would be ${schedule.Name}, as that of ${other}`);
      jobIds.set(schedule.Name, job.jobId);
      result.Schedules.push(schedule);
      result.notes.push(...notes.map((text) => ({ jobId: job.jobId, text })));
    } catch (error) {
      if (!(error instanceof Unexportable)) throw error;
      result.refused.push({ jobId: job.jobId, reason: error.message });
    }
  }
  return result;
}

/** As the import names a job `<group>.<name>`, but for the group `default`. */
const nameIn = (group: string, jobId: string): string =>
  group !== 'default' && jobId.startsWith(`${group}.`) ? jobId.slice(group.length + 1) || jobId : jobId;

function scheduleOf(
  job: Job,
  { roleArn, group, nowMs, api }: AwsOptions,
): { schedule: AwsSchedule; notes: string[] } {
  const definition = definitionOf(job);
  const plain = withDefaults({ schedule: definition.schedule, target: definition.target }, api);
  const changed = new Set(diff(plain, definition).map(({ path }) => path.split('.')[0]!));
  const needed = Object.keys(NEEDED).find((field) => changed.has(field));
  if (needed !== undefined) throw new Unexportable(NEEDED[needed]!);
  const changedAtMs = Date.parse(job.scheduleChangedAt);
  const { times, notes } = timesForAws({ schedule: job.schedule, changedAtMs, nowMs });
  const input = inputOf(definition);
  const retry = retryOf(definition, plain);
  const lost = LOST.filter((field) => changed.has(field)).map(
    (field) => `its ${field} has no counterpart there`,
  );
  return {
    schedule: {
      Name: nameIn(group, job.jobId),
      GroupName: group,
      ...(job.name !== undefined && { Description: job.name }),
      ...times,
      State: job.status === 'paused' ? 'DISABLED' : 'ENABLED',
      Target: {
        ...calledByAws(definition.target as Definition),
        RoleArn: roleArn,
        ...input.input,
        RetryPolicy: retry.policy,
      },
    },
    notes: [...notes, ...input.notes, ...retry.notes, ...lost, ...tagNotes(definition)],
  };
}

/** What a job has imported it keeps: AWS replaces its own attributes in it. */
function inputOf({ payload }: Definition): { input: { Input?: string }; notes: string[] } {
  if (payload === undefined) return { input: {}, notes: [] };
  const Input = JSON.stringify(payload);
  if (Buffer.byteLength(Input) > MAX_INPUT_BYTES)
    throw new Unexportable('its payload has more than 256 KB, the most that EventBridge Scheduler takes');
  const notes = /<aws\.scheduler\.[a-z-]+>/.test(Input)
    ? ['EventBridge Scheduler replaces the <aws.scheduler…> attributes in its payload']
    : [];
  return { input: { Input }, notes };
}

/** AWS counts retries after the first attempt; a job counts all attempts. */
function retryOf(
  { retry }: Definition,
  plain: Definition,
): { policy: AwsTarget['RetryPolicy']; notes: string[] } {
  const { maxAttempts, maxAge, ...rest } = retry as Definition;
  const retries = Number(maxAttempts) - 1;
  const ageSec = secondsOf(String(maxAge));
  const kept = Math.min(Math.max(ageSec, LEAST_AGE_SEC), MOST_AGE_SEC);
  const usual = isObject(plain.retry) ? plain.retry : {};
  const notes = [
    ...(kept === ageSec ? [] : [`its maxAge ${String(maxAge)} becomes ${kept} s, the nearest that there is`]),
    ...(DELAYS.some((field) => rest[field] !== usual[field])
      ? ['its delays between attempts become those of EventBridge Scheduler']
      : []),
  ];
  return {
    policy: { MaximumRetryAttempts: Math.min(retries, MAX_RETRIES), MaximumEventAgeInSeconds: kept },
    notes,
  };
}

const tagNotes = ({ tags }: Definition): string[] =>
  Object.keys(isObject(tags) ? tags : {}).some((key) => key !== SOURCE_TAG)
    ? ['its tags have no counterpart there: only groups of schedules have tags']
    : [];
