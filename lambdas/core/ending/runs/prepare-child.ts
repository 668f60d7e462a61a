import { jobKeyOf, jobRefOf } from '../../contracts/tables';
import { runValues } from '../../delivery/job-templates/run-values';
import type { StageDeps } from '../../deps';
import type { Reason } from '../../domain/reason';
import type { Job } from '../../domain/job';
import { enteringPayload, misfitText } from '../../domain/payload-fit';
import { MAX_PAYLOAD_BYTES } from '../../domain/target-limits';
import { type ChildTask, lineageOf, MAX_CHILD_DEPTH } from '../../domain/workflow/children';
import type { Task } from '../../domain/workflow/definition';
import { circleOfWaits, locksWithoutSlot, textOfCircle } from '../../domain/workflow/waits-below';
import { bytesOfJson, faultsOfParams, paramsOf, type Params } from '../../domain/workflow/params';
import { isJobGone } from '../../domain/workflow/task-eligibility';
import { Renderer } from '../../templates/render';
import type { Json } from '../../templates/syntax';
import { TemplateError } from '../../templates/template-error';
import { readTaskData } from './read-task-data';
import { findJobs, readJobs } from '../../store/read-whole';

/** Why a child cannot begin: its row says so. */
export interface ChildFault {
  reason: Reason;
  text: string;
}

/** What a child begins with. */
export interface ChildInput {
  job: Job;
  payload?: { value: unknown };
  params?: Params;
  /** The number of deliveries that led to it, if any did. */
  deliveryDepth?: number;
}

const fault = (reason: Reason, text: string): { fault: ChildFault } => ({ fault: { reason, text } });

/**
 * What a child is to begin with, by its job and by the values of its run as they are now. `job-gone`: the job
 * of the run is deleted.
 */
export async function prepareChild(
  task: ChildTask,
  deps: StageDeps,
): Promise<{ input: ChildInput } | { fault: ChildFault } | 'job-gone'> {
  const { run, graph, index, item } = task;
  const definition = graph.tasks[index]!.task;
  const jobId = definition.job!;
  const { userId } = jobRefOf(run.jobKey);
  const childKey = jobKeyOf({ userId, jobId });
  const jobs = await readJobs([run.jobKey, childKey], deps);
  const own = jobs.get(run.jobKey);
  if (!own || isJobGone(run, own)) return 'job-gone';
  const job = jobs.get(childKey);
  if (!job) return fault('deleted', `there is no job ${JSON.stringify(jobId)}`);
  const refused = faultOfLineage(task, job) ?? (await faultOfWaits(task, job, deps));
  if (refused) return refused;
  if (job.workflow && (await deps.liveRuns.room(userId)) < 1)
    return fault('live-runs', 'the project has no room for another run of a workflow');
  try {
    const data = { ...(await readTaskData(task, deps)), ...(item && { item }) };
    const renderer = new Renderer(runValues(run, own, data));
    // Those of a backfill were checked when it was asked for.
    const given = run.backfill && run.hasParams ? await deps.runInputs.get(run) : undefined;
    const made = given ?? (await inputOf(definition, job, renderer, deps));
    const deliveryDepth = run.deliveryDepth ?? own.deliveryDepth;
    return 'fault' in made
      ? made
      : { input: { job, ...made, ...(deliveryDepth !== undefined && { deliveryDepth }) } };
  } catch (error) {
    if (error instanceof TemplateError) return fault('bad-input', error.message);
    throw error;
  }
}

/** Levels of jobs below a child that are read. */
const MAX_LEVELS = MAX_CHILD_DEPTH;

/**
 * Below a run that holds a slot, a child never waits for a job whose other runs may wait for that slot
 * (docs/adr/0037). The jobs were checked when they were saved, and may have changed since.
 */
async function faultOfWaits(
  task: ChildTask,
  job: Job,
  deps: StageDeps,
): Promise<{ fault: ChildFault } | undefined> {
  const { parent, ancestors } = lineageOf(task);
  if (task.run.backfill || parent.concurrencyKey === undefined || !locksWithoutSlot(job)) return undefined;
  const known = new Map<string, Job>();
  const { userId } = jobRefOf(task.run.jobKey);
  let level = job.workflow?.jobs ?? [];
  for (let depth = 0; level.length > 0 && depth < MAX_LEVELS; depth++) {
    const found = await findJobs(
      level.map((jobId) => jobKeyOf({ userId, jobId })),
      deps,
    );
    for (const one of found.jobs.values()) known.set(one.jobId, one);
    const next = [...found.jobs.values()].flatMap(({ workflow }) => workflow?.jobs ?? []);
    level = [...new Set(next)].filter((jobId) => !known.has(jobId));
  }
  const circle = circleOfWaits(job, known, { holds: ancestors.at(-1)! }, [...ancestors, job.jobId]);
  if (!circle) return undefined;
  const above = await findJobs(
    ancestors.map((jobId) => jobKeyOf({ userId, jobId })),
    deps,
  );
  const limited = [...above.jobs.values()].find(
    ({ concurrencyKey }) => concurrencyKey === parent.concurrencyKey,
  );
  return fault('concurrency-key', textOfCircle({ ...circle, holds: limited?.jobId ?? circle.holds }));
}

/**
 * A child waits for its job's overlap lock and its own slot alone, and jobs form no circle. So what holds
 * something never waits for what waits for it.
 */
function faultOfLineage(task: ChildTask, job: Job): { fault: ChildFault } | undefined {
  const { parent, ancestors } = lineageOf(task);
  if (task.run.backfill) return undefined; // it is no run above the child, and holds nothing
  if (ancestors.includes(job.jobId))
    return fault('recursion', `the job is above itself: ${[...ancestors, job.jobId].join(' → ')}`);
  if (ancestors.length > MAX_CHILD_DEPTH)
    return fault('recursion', `more than ${MAX_CHILD_DEPTH} runs are above it: ${ancestors.join(' → ')}`);
  const { orderingKey, concurrencyKey } = job;
  if (orderingKey !== null && orderingKey !== parent.orderingKey)
    return fault('ordering-key', `its job has the ordering key ${orderingKey}, which no run above it holds`);
  const isOther = parent.concurrencyKey !== undefined && concurrencyKey !== parent.concurrencyKey;
  if (concurrencyKey !== undefined && isOther)
    return fault(
      'concurrency-key',
      `its job has the concurrency key ${concurrencyKey}, and a run above it holds a slot of ${parent.concurrencyKey}`,
    );
  return undefined;
}

async function inputOf(
  { input, params }: Task,
  job: Job,
  renderer: Renderer,
  { flows }: Pick<StageDeps, 'flows'>,
): Promise<{ payload?: { value: unknown }; params?: Params } | { fault: ChildFault }> {
  if (!job.workflow) {
    if (params) return fault('bad-input', 'params: its job has no workflow; use input');
    const payload = input === undefined ? undefined : { value: renderer.json(input as Json) };
    const bytes = payload ? bytesOfJson(payload.value) : 0;
    if (bytes > MAX_PAYLOAD_BYTES)
      return fault('bad-input', `input: must have at most ${MAX_PAYLOAD_BYTES} bytes as JSON, not ${bytes}`);
    const entering = enteringPayload(job, payload);
    const misfit = entering && (await misfitText(job, entering.value, 'input'));
    return misfit === undefined ? { ...(payload && { payload }) } : fault('bad-payload', misfit);
  }
  if (input !== undefined) return fault('bad-input', 'input: its job has a workflow; use params');
  if (!params && !job.payloadSchema) return {};
  const given = params && (renderer.json(params) as Params);
  const flow = await flows.get(jobKeyOf(job), job.workflow.version);
  const [first] = faultsOfParams(flow?.workflow.params, given ?? {});
  if (first) return fault('bad-input', `${first.path}: ${first.message}`);
  const misfit = flow && (await misfitText(job, paramsOf(flow.workflow, given), 'params'));
  return misfit === undefined ? { ...(given && { params: given }) } : fault('bad-payload', misfit);
}
