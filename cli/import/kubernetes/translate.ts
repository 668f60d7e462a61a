import type { Definition } from '../../schedules-as-code/definition';
import { type Import, type ImportedJob, jobIdOf, refuseDuplicates, SOURCE_TAG } from '../imported';
import { type Json, neededText, numberIn, objectIn, objectsIn, textIn, Unmapped } from '../json';
import { commandOf } from './command';
import { type Kind, type Named, namedIn, sentencesOf } from './fields';
import type { Manifest } from './read-manifests';
import { scheduleOf, type Timing } from './schedule';

interface Options {
  /** The work queue whose workers run the commands. */
  queue: string;
  /** The zone of CronJobs that name none. */
  timezone: string | undefined;
}

const VERSIONS = ['batch/v1', 'batch/v1beta1'];
const OVERLAPS: Record<string, string> = { Allow: 'allow', Forbid: 'skip', Replace: 'replace' };
/** Bounds of a job. */
const MAX_ATTEMPTS = 100;
const MAX_TIMEOUT_SEC = 7 * 86_400;
const GRACE_SEC = { least: 60, most: 86_400 };
const MAX_TAGS = 50;
const TAG_KEY = /^[\p{L}\p{N}_./=+@-]{1,64}$/u;
/** What Kubernetes does without the field. */
const RETRIES = 6;

/** Translates CronJobs to jobs of a worker. Gives each reason for which an object has no counterpart. */
export function importFromKubernetes(manifests: readonly Manifest[], options: Options): Import {
  const result: Import = { jobs: [], refused: [] };
  for (const { source, value } of manifests) {
    const faults = new Faults();
    const job = faults.of(() => jobFrom(value, source, options, faults));
    if (job !== undefined && faults.reasons.length === 0) result.jobs.push(job);
    result.refused.push(...faults.reasons.map((reason) => ({ source, reason })));
  }
  return refuseDuplicates(result);
}

/** All reasons against one object. */
class Faults {
  readonly reasons: string[] = [];

  /** The result; undefined if there is none, and the reason is kept. */
  of<Result>(translate: () => Result): Result | undefined {
    try {
      return translate();
    } catch (error) {
      if (!(error instanceof Unmapped)) throw error;
      this.reasons.push(error.message);
      return undefined;
    }
  }
}

function jobFrom(
  manifest: Json,
  source: string,
  { queue, timezone }: Options,
  faults: Faults,
): ImportedJob | undefined {
  checkKind(manifest);
  const { parts, notes, reasons } = partsOf(manifest);
  faults.reasons.push(...reasons);
  const { metadata, spec, container } = parts;
  const timing = faults.of(() => scheduleIn(spec, timezone));
  const run = faults.of(() => commandOf(container));
  const limits = faults.of(() => limitsOf(parts));
  const misfire = faults.of(() => misfireOf(spec));
  const overlap = faults.of(() => overlapOf(spec));
  const tags = faults.of(() => tagsOf(metadata, queue));
  const isSuspended = faults.of(() => suspendOf(spec));
  const name = neededText(metadata, 'name');
  const namespace = textIn(metadata, 'namespace');
  if (!timing || !run || !limits || !misfire || !overlap || !tags) return undefined;
  return {
    source,
    jobId: jobIdOf(namespace === undefined || namespace === 'default' ? name : `${namespace}.${name}`),
    definition: {
      schedule: timing.schedule,
      target: { type: 'worker', queue },
      payload: { command: run.command, ...(Object.keys(run.env).length > 0 && { env: run.env }) },
      ...limits.fields,
      ...overlap.fields,
      ...misfire.fields,
      tags: tags.tags,
    },
    ...(isSuspended && { paused: true }),
    notes: [
      ...[timing, run, overlap, misfire, limits, tags].flatMap((part) => part.notes),
      ...(isSuspended ? ['suspend: what a paused job skips does not run when it is resumed'] : []),
      ...sentencesOf(notes),
    ],
  };
}

const scheduleIn = (spec: Json, defaultZone: string | undefined): Timing =>
  scheduleOf(neededText(spec, 'schedule'), { timeZone: textIn(spec, 'timeZone'), defaultZone });

function checkKind({ apiVersion, kind }: Json): void {
  if (kind !== 'CronJob') throw new Unmapped(`it is a ${String(kind)}: CronJobs alone are imported`);
  if (!VERSIONS.includes(String(apiVersion)))
    throw new Unmapped(`its apiVersion is ${String(apiVersion)}; expected ${VERSIONS.join(' or ')}`);
}

interface Parts {
  metadata: Json;
  spec: Json;
  job: Json;
  pod: Json;
  container: Json;
}

/** The objects of a CronJob, and what is to be said of their fields. */
function partsOf(manifest: Json): { parts: Parts; notes: Named[]; reasons: string[] } {
  const notes: Named[] = [];
  const reasons: string[] = [];
  const checked = (kind: Kind, json: Json): Json => {
    const named = namedIn(kind, json);
    notes.push(...named.notes);
    reasons.push(...named.faults);
    return json;
  };
  checked('object', manifest);
  const metadata = checked('metadata', neededObject(manifest, 'metadata'));
  const spec = checked('spec', neededObject(manifest, 'spec'));
  const jobTemplate = checked('jobTemplate', neededObject(spec, 'jobTemplate'));
  const job = checked('jobTemplate.spec', neededObject(jobTemplate, 'spec'));
  const template = checked('template', neededObject(job, 'template'));
  const pod = checked('template.spec', neededObject(template, 'spec'));
  const containers = objectsIn(pod, 'containers');
  const [container] = containers;
  if (container === undefined) throw new Unmapped('template.spec.containers is empty');
  if (containers.length > 1)
    reasons.push(`template.spec.containers has ${containers.length}, and a worker runs one command`);
  checked('container', container);
  return { parts: { metadata, spec, job, pod, container }, notes, reasons };
}

function neededObject(json: Json, field: string): Json {
  const value = objectIn(json, field);
  if (value !== undefined) return value;
  throw new Unmapped(`it has no ${field}: if it is a patch of Kustomize, import what kustomize build prints`);
}

interface Mapped {
  fields: Definition;
  notes: string[];
}

/** Attempts, and how long they may take. */
function limitsOf({ job, pod }: Parts): Mapped {
  for (const field of ['completions', 'parallelism'])
    if ((numberIn(job, field, { least: 0 }) ?? 1) !== 1)
      throw new Unmapped(
        `jobTemplate.spec.${field} is ${String(job[field])}: a job runs once each time, and a workflow with a fan-out several times`,
      );
  const mode = textIn(job, 'completionMode') ?? 'NonIndexed';
  if (mode !== 'NonIndexed')
    throw new Unmapped(`jobTemplate.spec.completionMode is ${mode}: it needs indexes`);
  const policy = textIn(pod, 'restartPolicy');
  if (policy !== 'Never' && policy !== 'OnFailure')
    throw new Unmapped(`template.spec.restartPolicy is ${policy ?? 'missing'}; expected Never or OnFailure`);
  const retries = numberIn(job, 'backoffLimit', { least: 0 }) ?? RETRIES;
  const all = numberIn(job, 'activeDeadlineSeconds', { least: 1 });
  const one = numberIn(pod, 'activeDeadlineSeconds', { least: 1 });
  const timeoutSec = Math.min(all ?? Infinity, one ?? Infinity, MAX_TIMEOUT_SEC);
  const maxAgeSec = Math.min(all ?? Infinity, 30 * 86_400);
  return {
    fields: {
      timeout: `${timeoutSec}s`,
      retry: {
        maxAttempts: Math.min(retries + 1, MAX_ATTEMPTS),
        ...(retries > 0 && {
          initialDelay: '10s',
          maxDelay: policy === 'Never' ? '6m' : '5m',
          jitter: 'none',
          maxAge: `${maxAgeSec}s`,
        }),
      },
    },
    notes: [
      ...(retries >= MAX_ATTEMPTS
        ? [`backoffLimit ${retries} becomes ${MAX_ATTEMPTS} attempts, the maximum`]
        : []),
      ...(all === undefined
        ? []
        : [
            `activeDeadlineSeconds ${all} bounds all attempts together there; here it bounds each one, and none begins later than that`,
          ]),
      ...((one ?? 0) > timeoutSec
        ? [`template.spec.activeDeadlineSeconds ${one} is bounded by ${timeoutSec}s`]
        : []),
      ...(all === undefined && one === undefined
        ? ['it has no activeDeadlineSeconds; here an attempt ends after 7 days at the latest']
        : []),
    ],
  };
}

function overlapOf(spec: Json): Mapped {
  const policy = textIn(spec, 'concurrencyPolicy');
  if (policy === undefined) return { fields: {}, notes: [] };
  const overlap = Object.hasOwn(OVERLAPS, policy) ? OVERLAPS[policy] : undefined;
  if (overlap === undefined)
    throw new Unmapped(`spec.concurrencyPolicy is ${policy}; expected ${Object.keys(OVERLAPS).join(', ')}`);
  const notes =
    policy === 'Forbid'
      ? [
          'Forbid becomes overlap skip; Kubernetes may start the run that it did not start once the earlier one ends, as overlap queue does',
        ]
      : [];
  return { fields: { overlap }, notes };
}

/** How late an occurrence may begin. Without a deadline, the last one that was missed runs, as here. */
function misfireOf(spec: Json): Mapped {
  const deadlineSec = numberIn(spec, 'startingDeadlineSeconds', { least: 0 });
  if (deadlineSec === undefined) return { fields: {}, notes: [] };
  if (deadlineSec > GRACE_SEC.most)
    return {
      fields: { misfire: { policy: 'fire-once' } },
      notes: [
        `startingDeadlineSeconds ${deadlineSec} is over a day: the last missed time runs, however late`,
      ],
    };
  const graceSec = Math.max(GRACE_SEC.least, deadlineSec);
  return {
    fields: { misfire: { policy: 'skip', grace: `${graceSec}s` } },
    notes: [
      ...(deadlineSec < graceSec
        ? [`startingDeadlineSeconds ${deadlineSec} becomes a grace of 60s, the least`]
        : []),
      'startingDeadlineSeconds: of several times missed within it, Kubernetes runs the last; here each one runs',
    ],
  };
}

function suspendOf({ suspend = false }: Json): boolean {
  if (typeof suspend === 'boolean') return suspend;
  throw new Unmapped(`spec.suspend is ${JSON.stringify(suspend)}; expected true or false`);
}

function tagsOf(metadata: Json, queue: string): { tags: Record<string, string>; notes: string[] } {
  const own: Record<string, string> = { [SOURCE_TAG]: 'kubernetes', queue };
  const labels = Object.entries(objectIn(metadata, 'labels') ?? {});
  const taken = labels.filter(
    ([key, value]) => typeof value === 'string' && TAG_KEY.test(key) && !Object.hasOwn(own, key),
  );
  const kept = taken.slice(0, MAX_TAGS - Object.keys(own).length);
  const left = labels.filter((label) => !kept.includes(label)).map(([key]) => key);
  return {
    tags: { ...(Object.fromEntries(kept) as Record<string, string>), ...own },
    notes: left.length === 0 ? [] : [`not imported: labels ${left.join(', ')}: they are no tags of a job`],
  };
}
