import { isObject } from '../../is-object';
import { type Import, jobIdOf, nameOf, SOURCE_TAG } from '../imported';
import type { Work } from './exits';
import { type Json, numberIn, textIn, Unmapped } from '../json';
import { executionInput, INPUT } from './scope';
import { statesInto } from './states';
import { MAX_RUN_SEC, Tasks } from './tasks';
import { placeOf } from './sync';
import { WorkJobs } from './work-jobs';

const MIN_RUN_SEC = 60;

export interface ImportOptions {
  /** Imports what can be translated, as a paused job. Without it, a machine is imported as a whole or not. */
  partial?: boolean;
  /** The ARN of the machine: names in it may mean ARNs of its region and account. */
  arn?: string;
}

const PARTIAL = 'imported in part, and paused: resume it once its tasks do what the states did';
const OUTPUT =
  'what an execution returns is not imported: give the workflow an output, if something reads it';

/**
 * Translates a state machine to a job with a workflow. What has no counterpart is named with its state. Then
 * there is no job, unless `partial` asks for a paused one.
 */
export function importFromStepFunctions(
  machine: Json,
  source: string,
  jobId: string,
  { partial = false, arn }: ImportOptions = {},
): Import {
  const id = jobIdOf(jobId);
  const work: Work = {
    tasks: new Tasks(),
    workJobs: new WorkJobs(source, id),
    actions: new Map(),
    place: arn === undefined ? undefined : placeOf(arn),
    notes: [],
    refused: [],
    withoutBody: [],
  };
  try {
    statesInto(work, machine, 'machine', { way: [], value: executionInput() });
    checkIntrinsics(machine);
    return { ...jobOf(work, machine, source, id, partial) };
  } catch (error) {
    if (!(error instanceof Unmapped)) throw error;
    return { jobs: [], refused: [{ source, reason: error.message }] };
  }
}

function jobOf(work: Work, machine: Json, source: string, jobId: string, partial: boolean): Import {
  const { notes, refused } = work;
  if (Object.keys(work.tasks.made).length === 0) work.tasks.add('Succeed', {}, []);
  const tasks = work.tasks.made;
  checkSize(tasks);
  const text = JSON.stringify(tasks);
  const readsInput = text.includes(`{{ params.${INPUT}`);
  if (readsInput) notes.push(`a run takes the input of an execution as its parameter ${INPUT}`);
  if (text.includes('{{ run.id')) notes.push('the name of an execution becomes the id of the run');
  if (text.includes('.output')) notes.push('an output has at most 32 KB, and all parameters together 16 KB');
  if (readsInput)
    for (const state of work.withoutBody)
      refused.push({ state, reason: 'it sends no body, and a workflow with parameters sends these' });
  notes.push(OUTPUT);
  const timeout = runTimeOf(machine, notes);
  const comment = textIn(machine, 'Comment');
  const name = comment === undefined ? undefined : nameOf(comment);
  const definition = {
    ...(name !== undefined && { name }),
    schedule: { type: 'none' },
    timeout,
    workflow: {
      ...(readsInput && { params: { [INPUT]: {} } }),
      // An execution that fails abandons what is at work in it.
      onTaskFailure: 'cancel',
      tasks,
    },
    tags: { [SOURCE_TAG]: 'step-functions' },
  };
  const isWhole = refused.length === 0;
  return {
    jobs:
      isWhole || partial
        ? [
            ...work.workJobs.made,
            {
              source,
              jobId,
              definition,
              ...(!isWhole && { paused: true }),
              notes: isWhole ? notes : [PARTIAL, ...notes],
            },
          ]
        : [],
    refused: refused.map(({ state, reason }) => ({ source: `${source}: ${state}`, reason })),
    ...(work.actions.size > 0 && { allowedActions: [...work.actions.values()] }),
    ...(work.workJobs.called.size > 0 && { allowedTargetArns: [...work.workJobs.called] }),
  };
}

/** Bounds of a workflow that a translation can exceed, whatever the deployment. */
const MAX_TASKS = 1_000;
const MAX_BYTES = 262_144;
const MAX_REFERENCES = 50;

function checkSize(tasks: Json): void {
  const count = Object.keys(tasks).length;
  if (count > MAX_TASKS) throw new Unmapped(`it needs ${count} tasks; a workflow has at most ${MAX_TASKS}`);
  const bytes = Buffer.byteLength(JSON.stringify(tasks));
  if (bytes > MAX_BYTES)
    throw new Unmapped(`it has ${bytes} bytes as JSON; a workflow has at most ${MAX_BYTES}`);
  for (const [id, task] of Object.entries(tasks)) {
    const read = new Set(JSON.stringify(task).match(/\btasks\.[\w-]+(?=\.output)/g));
    if (read.size > MAX_REFERENCES)
      throw new Unmapped(
        `${id} reads the outputs of ${read.size} states; at most ${MAX_REFERENCES} are allowed`,
      );
  }
}

function runTimeOf(machine: Json, notes: string[]): string {
  const seconds = numberIn(machine, 'TimeoutSeconds', { least: 1 });
  if (seconds !== undefined && seconds < MIN_RUN_SEC)
    throw new Unmapped(`its TimeoutSeconds is ${seconds}; a run has at least a minute`);
  if (seconds === undefined || seconds > MAX_RUN_SEC)
    notes.push('a run ends after 30 days at the latest; an execution may take longer');
  return `${Math.min(MAX_RUN_SEC, seconds ?? MAX_RUN_SEC)}s`;
}

/** A template of CloudFormation has objects in the place of texts. */
function checkIntrinsics(value: unknown): void {
  if (Array.isArray(value)) return value.forEach(checkIntrinsics);
  if (!isObject(value)) return;
  const [key = '', ...others] = Object.keys(value);
  if (others.length === 0 && (key === 'Ref' || key.startsWith('Fn::')))
    throw new Unmapped(`${key} is a function of CloudFormation: import the definition of a deployed machine`);
  Object.values(value).forEach(checkIntrinsics);
}
