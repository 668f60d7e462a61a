import { ArgumentError, QuarterjackError } from '../errors';
import type { JobDefinition } from '../types';
import { durationMs } from '../worker/duration';
import { payloadFault, type StandardSchema } from '../worker/standard-schema';
import type { DefinedJob, Deployed, JobContext } from './defined-job';
import { runsOf } from './job-runs';
import { registerJob } from './registry';

export interface JobOptions<Payload, Result, Input = Payload> extends Omit<
  JobDefinition,
  Deployed | 'jobId' | 'schedule' | 'payload'
> {
  /** 1 to 48 characters: small letters, digits and `-`, no `-` at the beginning. */
  id: string;
  /** When it runs. Without one, a user or a program starts it. */
  schedule?: JobDefinition['schedule'] | undefined;
  /** Checks the payload in this process, and gives it its type: any Standard Schema. */
  schema?: StandardSchema<Payload, Input> | undefined;
  /** What an execution gets that brings no payload of its own. Default `{}`. */
  payload?: unknown;
  /** Deploy it paused. Without this, it stays paused or active as it is. */
  paused?: boolean | undefined;
  /**
   * Makes a payload that fits `schema` of one that does not: a run may have been asked for before a change.
   */
  migrate?: ((payload: unknown) => unknown) | undefined;
  /** Does the work. What it returns is the result; an error is a failure that may be retried. */
  run(context: JobContext<Payload>): Result | Promise<Result>;
}

const ID = /^[a-z0-9][a-z0-9-]{0,47}$/;
const DEFAULT_TIMEOUT = '5m';
const RESERVED = 'quarterjack/';

/**
 * A job in code:
 *
 *     export const nightly = defineJob({
 *       id: 'nightly-report',
 *       schedule: cron('30 2 * * MON-FRI', { timezone: 'Europe/Berlin' }),
 *       async run({ dueAt, log }) { ... },
 *     });
 *
 * Throws an `ArgumentError` for what no deployment takes, and for a payload that does not fit its schema.
 */
export function defineJob<Payload = unknown, Result = unknown, Input = Payload>(
  options: JobOptions<Payload, Result, Input>,
): DefinedJob<Payload, Result, Input> {
  if (typeof options !== 'object' || options === null)
    throw new ArgumentError('options', options, 'an object with id and run');
  const { id, schedule = { type: 'none' }, schema, payload, paused, migrate, run, ...rest } = options;
  checkOptions(options);
  const definition = { ...rest, schedule, ...(payload !== undefined && { payload }) };
  if (payload !== undefined || bringsNoPayload(schedule)) checkOwnPayload(id, payload ?? {}, options);
  const timeoutMs = durationMs(rest.timeout ?? DEFAULT_TIMEOUT) ?? 0;
  const runs = runsOf<Input, Result>(id, schema);
  const job: DefinedJob<Payload, Result, Input> = {
    id,
    paused,
    definition,
    timeoutMs,
    schema,
    migrate,
    run,
    ...runs,
  };
  registerJob(job);
  return job;
}

function checkOptions<Payload, Input>({
  id,
  schema,
  migrate,
  run,
  tags,
  timeout,
}: JobOptions<Payload, unknown, Input>): void {
  if (typeof id !== 'string' || !ID.test(id))
    throw new ArgumentError('id', id, '1 to 48 characters of a-z, 0-9 and "-", the first none of "-"');
  if (typeof run !== 'function') throw new ArgumentError('run', run, 'a function');
  if (migrate !== undefined && typeof migrate !== 'function')
    throw new ArgumentError('migrate', migrate, 'a function');
  if (schema !== undefined && typeof schema['~standard']?.validate !== 'function')
    throw new ArgumentError('schema', schema, 'a Standard Schema');
  if (timeout !== undefined && durationMs(timeout) === undefined)
    throw new ArgumentError('timeout', timeout, 'a duration such as 5m');
  const reserved = Object.keys(tags ?? {}).find((key) => key.startsWith(RESERVED));
  if (reserved !== undefined)
    throw new QuarterjackError(
      `job ${id}: tags that begin with ${RESERVED} are set by deploying: ${reserved}`,
    );
}

/** Whether the clock or the end of another job starts it: then it gets its own payload. */
const bringsNoPayload = (schedule: JobDefinition['schedule']): boolean =>
  typeof schedule === 'string' || !['none', 'event'].includes(schedule.type);

/** Templates are rendered for each execution, and fit then or not. */
function checkOwnPayload<Payload, Input>(
  id: string,
  payload: unknown,
  { schema, templates }: JobOptions<Payload, unknown, Input>,
): void {
  const fault = templates === true ? undefined : payloadFault(payload, schema);
  if (fault !== undefined) throw new QuarterjackError(`job ${id}: its own payload: ${fault.message}`);
}
