import { createHmac } from 'node:crypto';

import { type JobChanges, type JobDefinition, NotFoundError, type Quarterjack } from '../../client';
import { execIdOf } from '../execution-id';
import { HIDDEN, isSecretPath } from '../debug';
import { CliError } from '../exit-codes';
import { isObject } from '../is-object';
import { scheduleOf } from '../schedule-text';
import { definitionOf } from '../schedules-as-code/definition';
import { diff, type FieldChange } from '../schedules-as-code/diff';
import { checkHosts } from './hosts';

/** What a tool may change. None of them deletes. */
export const ACTIONS = ['create', 'change', 'run', 'retry', 'pause', 'resume', 'cancel'] as const;
export type Action = (typeof ACTIONS)[number];

export interface Subject {
  jobId: string;
  /** Of retry and cancel: an id, a beginning of it, or `latest`. */
  execId?: string | undefined;
  /** Of create: the definition. Of change: the fields that change; null removes one. */
  definition?: Record<string, unknown> | undefined;
  /** Of run and retry. */
  payload?: unknown;
}

export interface PlanDeps {
  client: Quarterjack;
  allowed: readonly string[];
  /** Belongs to one session: a digest of another one confirms nothing. */
  secret: string;
}

export interface Plan {
  action: Action;
  jobId: string;
  /** What would change, for the reader. */
  effect: unknown;
  /** Confirms the write, as long as nothing has changed meanwhile. */
  digest: string;
  /** Makes the change. */
  apply(note: string): Promise<unknown>;
}

/** What a change would do, and its digest: of the change, and of the state that it starts from. */
export async function planOf(action: Action, subject: Subject, deps: PlanDeps): Promise<Plan> {
  const { effect, state, apply } = await PLANS[action](subject, deps);
  const text = JSON.stringify([action, subject.jobId, effect, state]);
  const digest = createHmac('sha256', deps.secret).update(text).digest('base64url').slice(0, 32);
  return { action, jobId: subject.jobId, effect, digest, apply };
}

interface Draft {
  effect: unknown;
  /** What the change starts from. */
  state: unknown;
  apply(note: string): Promise<unknown>;
}

const PLANS: Record<Action, (subject: Subject, deps: PlanDeps) => Promise<Draft>> = {
  create: async ({ jobId, definition }, deps) => {
    const { jobs } = deps.client;
    const given = { ...withSchedule(definition), jobId } as unknown as JobDefinition;
    if (await exists(jobId, deps)) throw new CliError(`there is a job ${jobId} already: change it`);
    await checkHosts(given, deps);
    const created = definitionOf(await jobs.put(jobId, given, { dryRun: true }));
    return { effect: { created }, state: null, apply: (note) => jobs.create(given, { note }) };
  },
  change: async ({ jobId, definition }, deps) => {
    const { jobs } = deps.client;
    const { etag, ...job } = await jobs.get(jobId);
    const before = definitionOf(job);
    const changes = withSchedule(definition);
    const merged = mergePatch(before, changes) as JobDefinition;
    await checkHosts(changes, deps);
    const after = definitionOf(await jobs.put(jobId, merged, { dryRun: true, ifMatch: etag }));
    const apply = (note: string) => jobs.patch(jobId, changes as JobChanges, { note, ifMatch: etag });
    const changed = diff(before, after).map(withoutSecret);
    return { effect: { changed }, state: [etag, after], apply };
  },
  run: async ({ jobId, payload }, { client }) => {
    const { status, etag } = await client.jobs.get(jobId);
    const body = payload === undefined ? {} : { payload };
    return {
      effect: { runs: jobId, jobIs: status, ...body },
      state: etag,
      apply: (note) => client.jobs.run(jobId, body, { note }),
    };
  },
  retry: async ({ jobId, execId, payload }, { client }) => {
    const { execution, state } = await executionOf(client, jobId, execId);
    const body = payload === undefined ? {} : { payload };
    return {
      effect: { retries: execution.execId, executionIs: execution.status, ...body },
      state,
      apply: (note) => client.executions.retry(jobId, execution.execId, { ...body, note }),
    };
  },
  pause: async ({ jobId }, { client }) => {
    const { status, etag, nextFireAt } = await client.jobs.get(jobId);
    return {
      effect: { pauses: jobId, jobIs: status, nextFireAt: nextFireAt ?? null },
      state: [status, etag],
      apply: (note) => client.jobs.pause(jobId, { note }),
    };
  },
  resume: async ({ jobId }, { client }) => {
    const { status, etag } = await client.jobs.get(jobId);
    return {
      effect: { resumes: jobId, jobIs: status },
      state: [status, etag],
      apply: (note) => client.jobs.resume(jobId, { note }),
    };
  },
  cancel: async ({ jobId, execId }, { client }) => {
    const { execution, state } = await executionOf(client, jobId, execId);
    return {
      effect: { cancels: execution.execId, executionIs: execution.status },
      state,
      apply: (note) => client.executions.cancel(jobId, execution.execId, { note }),
    };
  },
};

async function exists(jobId: string, { client }: PlanDeps): Promise<boolean> {
  try {
    await client.jobs.get(jobId);
    return true;
  } catch (error) {
    if (error instanceof NotFoundError) return false;
    throw error;
  }
}

async function executionOf(client: Quarterjack, jobId: string, named: string | undefined) {
  if (named === undefined) throw new CliError('execId is missing: name the execution, or latest');
  const execution = await client.executions.get(jobId, await execIdOf(client, jobId, named));
  return { execution, state: [execution.execId, execution.status] };
}

const withoutSecret = ({ path, from, to }: FieldChange): FieldChange => {
  const hidden = (value: unknown) => (value === undefined || !isSecretPath(path) ? value : HIDDEN);
  return { path, from: hidden(from), to: hidden(to) };
};

/** A schedule may be a text, as on the command line. */
function withSchedule(definition: Record<string, unknown> | undefined): Record<string, unknown> {
  if (definition === undefined) throw new CliError('definition is missing: give the fields of the job');
  if (JSON.stringify(definition).includes(JSON.stringify(HIDDEN)))
    throw new CliError(
      `a field is ${JSON.stringify(HIDDEN)}: leave it out, since results do not show credentials`,
    );
  const { schedule } = definition;
  return typeof schedule === 'string' ? { ...definition, schedule: scheduleOf(schedule) } : definition;
}

/** RFC 7396, as the API changes a job. */
function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged = new Map(isObject(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name), value));
  }
  return Object.fromEntries(merged);
}
