import { isDeepStrictEqual } from 'node:util';

import { unknownOf } from '../../unknown';
import type { Json } from '../json';

/**
 * What becomes of a field of a manifest.
 *
 * - `mapped`: the translation reads it, and refuses the values that have no counterpart.
 * - `silent`: it changes nothing in what is run.
 * - `note`: it is not imported, and a note of the job says why. Its `usual` value needs no note.
 * - `refused`: without it, another thing would run. The text says why.
 *
 * A field that is not listed is refused, too.
 */
type Rule = 'mapped' | 'silent' | { note: string; usual?: unknown } | { refused: string };

const note = (why: string, usual?: unknown): Rule => ({ note: why, usual });
const refused = (why: string): Rule => ({ refused: why });

const HISTORY = 'every execution is kept for the retention of the deployment';
const OF_POD = 'there is no pod: the worker’s machine takes its place';
const TAGS = 'a job has tags, which are the labels of the CronJob';
const NOT_RUN = 'a worker runs one command';
const INDEXED = refused('is of Jobs with several completions: use a workflow with a fan-out');
const ofEach = (names: string, rule: Rule): Record<string, Rule> =>
  Object.fromEntries(names.split(' ').map((name) => [name, rule]));

/** Fields by the object that they belong to. */
const FIELDS = {
  object: { apiVersion: 'mapped', kind: 'mapped', metadata: 'mapped', spec: 'mapped', status: 'silent' },
  metadata: {
    name: 'mapped',
    namespace: 'mapped',
    labels: 'mapped',
    annotations: note(TAGS),
    generateName: refused('makes a new name each time: give the CronJob a name'),
    ownerReferences: note('another object owns the CronJob, and may create it anew'),
    finalizers: note('nothing here is called before a job is deleted'),
    deletionTimestamp: refused('says that the CronJob is being deleted'),
    ...ofEach(
      'uid resourceVersion creationTimestamp generation managedFields selfLink deletionGracePeriodSeconds',
      'silent',
    ),
  },
  spec: {
    ...ofEach('schedule timeZone suspend concurrencyPolicy startingDeadlineSeconds jobTemplate', 'mapped'),
    successfulJobsHistoryLimit: note(HISTORY),
    failedJobsHistoryLimit: note(HISTORY),
  },
  jobTemplate: { metadata: note(TAGS), spec: 'mapped' },
  'jobTemplate.spec': {
    ...ofEach('backoffLimit activeDeadlineSeconds completions parallelism completionMode template', 'mapped'),
    ttlSecondsAfterFinished: note(HISTORY),
    podFailurePolicy: note('quarterjack work --fatal-exit names the exit codes that end the retries'),
    podReplacementPolicy: note(OF_POD),
    selector: note(OF_POD),
    manualSelector: note(OF_POD),
    suspend: refused('makes Jobs that wait until something else resumes them'),
    managedBy: refused('gives the Jobs to another controller'),
    ...ofEach('successPolicy backoffLimitPerIndex maxFailedIndexes', INDEXED),
  },
  template: { metadata: note(TAGS), spec: 'mapped' },
  'template.spec': {
    ...ofEach('containers restartPolicy activeDeadlineSeconds', 'mapped'),
    initContainers: refused(`runs before the container, and ${NOT_RUN}: write a script of both`),
    ephemeralContainers: refused(`runs beside the container, and ${NOT_RUN}`),
    dnsPolicy: note(OF_POD, 'ClusterFirst'),
    schedulerName: note(OF_POD, 'default-scheduler'),
    terminationGracePeriodSeconds: note(
      'quarterjack work --grace says how long a command may take to end',
      30,
    ),
    ...ofEach(
      'affinity nodeName nodeSelector os overhead priority priorityClassName preemptionPolicy runtimeClassName ' +
        'tolerations topologySpreadConstraints readinessGates schedulingGates resources resourceClaims workloadRef',
      note(OF_POD),
    ),
    ...ofEach(
      'dnsConfig enableServiceLinks hostAliases hostIPC hostNetwork hostPID hostUsers hostname hostnameOverride ' +
        'setHostnameAsFQDN shareProcessNamespace subdomain',
      note(OF_POD),
    ),
    ...ofEach(
      'automountServiceAccountToken imagePullSecrets securityContext serviceAccount serviceAccountName volumes',
      note(OF_POD),
    ),
  },
  container: {
    ...ofEach('image command args env envFrom workingDir', 'mapped'),
    name: 'silent',
    imagePullPolicy: 'silent',
    terminationMessagePath: note(OF_POD, '/dev/termination-log'),
    terminationMessagePolicy: note(OF_POD, 'File'),
    lifecycle: note(`its hooks do not run: ${NOT_RUN}`),
    restartPolicy: refused('is of a container beside others'),
    restartPolicyRules: refused('is of a container beside others'),
    ...ofEach('livenessProbe readinessProbe startupProbe', note('a command that hangs ends by its timeout')),
    ...ofEach(
      'ports resizePolicy resources securityContext stdin stdinOnce tty volumeDevices volumeMounts',
      note(OF_POD),
    ),
  },
} as const satisfies Record<string, Record<string, Rule>>;

export type Kind = keyof typeof FIELDS;

/** Where a field stands, as a report names it. */
const PATHS: Record<Kind, string> = {
  object: '',
  metadata: 'metadata.',
  spec: 'spec.',
  jobTemplate: 'jobTemplate.',
  'jobTemplate.spec': 'jobTemplate.spec.',
  template: 'template.',
  'template.spec': 'template.spec.',
  container: 'container.',
};

/** A field that is not imported, with its reason. */
export interface Named {
  field: string;
  why: string;
}

/** What is to be said of the fields of an object: notes, and reasons to refuse it. */
export function namedIn(kind: Kind, json: Json): { notes: Named[]; faults: string[] } {
  const rules: Record<string, Rule> = FIELDS[kind];
  const notes: Named[] = [];
  const faults: string[] = [];
  for (const [name, value] of Object.entries(json)) {
    const field = PATHS[kind] + name;
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (rule === undefined) faults.push(`${field} ${unknownOf(name, Object.keys(rules))}`);
    else if (typeof rule === 'string' || isEmpty(value)) continue;
    else if ('refused' in rule) faults.push(`${field} ${rule.refused}`);
    else if (!isDeepStrictEqual(value, rule.usual)) notes.push({ field, why: rule.note });
  }
  return { notes, faults };
}

const isEmpty = (value: unknown): boolean =>
  value === false || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);

/** So many fields stand in one sentence. */
const MOST_FIELDS = 6;

/** Sentences that say of each field why it is not imported. Fields with one reason share a sentence. */
export function sentencesOf(named: readonly Named[]): string[] {
  const byReason = new Map<string, string[]>();
  for (const { field, why } of named) byReason.set(why, [...(byReason.get(why) ?? []), field]);
  return [...byReason].flatMap(([why, fields]) =>
    Array.from({ length: Math.ceil(fields.length / MOST_FIELDS) }, (_, index) => {
      const some = fields.slice(index * MOST_FIELDS, (index + 1) * MOST_FIELDS);
      return `not imported: ${some.join(', ')}: ${why}`;
    }),
  );
}
