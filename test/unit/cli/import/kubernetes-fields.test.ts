import fc from 'fast-check';
import { stringify } from 'yaml';

import type { Import } from '../../../../cli/import/imported';
import { readManifests } from '../../../../cli/import/kubernetes/read-manifests';
import { importFromKubernetes } from '../../../../cli/import/kubernetes/translate';

type Json = Record<string, unknown>;

const imported = (manifest: Json): Import =>
  importFromKubernetes(readManifests(stringify(manifest), 'cron.yaml'), {
    queue: 'kubernetes',
    timezone: undefined,
  });

const text = fc.constantFrom('a', 'b-1', 'C d', "it's", '$(date)', '{{.Names}}');
/** A part of a manifest that is named as a whole. */
const whole = fc.constantFrom<unknown>({ a: 1 }, ['x'], 'y', 7, true);
/** A value that is not the one without the field, so that leaving the field out changes something. */
const other = <Value>(...values: Value[]) => fc.constantFrom(...values);

/** Some of the fields. */
const some = (fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Json> =>
  fc.record(fields, { requiredKeys: [] });
const ofWhole = (names: string): Record<string, fc.Arbitrary<unknown>> =>
  Object.fromEntries(names.split(' ').map((name) => [name, whole]));

const source = fc.constantFrom<Json>(
  { secretKeyRef: { name: 'db', key: 'url' } },
  { configMapKeyRef: { name: 'settings', key: 'region' } },
  { fieldRef: { fieldPath: 'metadata.namespace' } },
);
const variables = fc.uniqueArray(
  fc.record({ name: other('REGION', 'TOKEN', 'TZ', 'USER', 'A1'), value: text, from: fc.option(source) }),
  { minLength: 1, maxLength: 4, selector: ({ name }) => name },
);
const env = variables.map((all) =>
  all.map(({ name, value, from }) => (from === null ? { name, value } : { name, valueFrom: from })),
);

const CONTAINER = some({
  image: other('busybox:1', 'registry.example.com/a:2'),
  args: fc.array(text, { minLength: 1, maxLength: 3 }),
  workingDir: other('/srv', '/a b'),
  env,
  envFrom: other([{ secretRef: { name: 'all' } }], [{ configMapRef: { name: 'all' } }]),
  ...ofWhole('lifecycle livenessProbe ports resources securityContext stdin tty volumeMounts'),
  terminationMessagePolicy: other('FallbackToLogsOnError'),
});
const POD = some({
  activeDeadlineSeconds: other(30, 60),
  terminationGracePeriodSeconds: other(5),
  dnsPolicy: other('None'),
  ...ofWhole(
    'affinity hostNetwork imagePullSecrets nodeSelector priorityClassName securityContext serviceAccountName ' +
      'tolerations volumes',
  ),
});
const JOB = some({
  backoffLimit: other(0, 1, 150),
  activeDeadlineSeconds: other(600, 900_000),
  ...ofWhole('ttlSecondsAfterFinished podFailurePolicy selector'),
});
const SPEC = some({
  timeZone: other('Europe/Berlin', 'Asia/Tokyo'),
  suspend: other(true),
  concurrencyPolicy: other('Forbid', 'Replace'),
  startingDeadlineSeconds: other(5, 300, 200_000),
  ...ofWhole('successfulJobsHistoryLimit failedJobsHistoryLimit'),
});
const METADATA = some({
  namespace: other('shop', 'billing'),
  labels: other(
    { team: 'a' },
    { 'a.very/long-key-of-more-than-sixty-four-characters-that-is-no-key-of-a-tag': 'b' },
  ),
  ...ofWhole('annotations ownerReferences finalizers'),
});

/** A CronJob with a random choice of fields, each of another value than the usual one. */
const CRON_JOB = fc
  .tuple(METADATA, SPEC, JOB, POD, CONTAINER, other('*/5 * * * *', '@daily', '0 3 * * MON', '@every 5m'))
  .map(([metadata, spec, job, pod, container, schedule]) => ({
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'report', ...metadata },
    spec: {
      schedule,
      ...spec,
      jobTemplate: {
        spec: {
          ...job,
          template: {
            spec: {
              restartPolicy: 'Never',
              ...pod,
              containers: [{ name: 'main', command: ['/bin/report'], ...container }],
            },
          },
        },
      },
    },
  }));

/** The objects whose fields are told one by one. */
const objectsOf = (manifest: ReturnType<(typeof CRON_JOB)['generate']>['value']): Json[] => {
  const { metadata, spec } = manifest as unknown as { metadata: Json; spec: Json };
  const job = (spec.jobTemplate as { spec: Json }).spec;
  const pod = (job.template as { spec: Json }).spec;
  const [container] = pod.containers as [Json];
  return [metadata, spec, job, pod, container];
};

/** It changes nothing in what is run. */
const IS_SILENT = new Set(['name']);

test('without any one of its fields, a CronJob is imported differently: none is ignored', () => {
  let checked = 0;
  fc.assert(
    fc.property(CRON_JOB, (manifest) => {
      const found = imported(manifest);
      expect(found.refused).toEqual([]);
      const before = JSON.stringify(found);
      for (const object of objectsOf(manifest))
        for (const [field, value] of Object.entries(object)) {
          if (IS_SILENT.has(field)) continue;
          delete object[field];
          const after = JSON.stringify(imported(manifest));
          object[field] = value;
          expect({ field, isIgnored: before === after }).toEqual({ field, isIgnored: false });
          checked += 1;
        }
    }),
    { numRuns: 40 },
  );
  expect(checked).toBeGreaterThan(200);
});

/** A CronJob with nothing but what it needs. */
const least = () => ({
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata: { name: 'report' } as Json,
  spec: {
    schedule: '0 3 * * *',
    jobTemplate: {
      spec: { template: { spec: { restartPolicy: 'Never', containers: [{ command: ['/bin/report'] }] } } },
    },
  },
});

test.each([
  [0, 'generateName', 'report-'],
  [0, 'deletionTimestamp', '2026-11-01T00:00:00Z'],
  [1, 'timezone', 'Europe/Berlin'],
  [1, 'concurrencyPolicy', 'Sometimes'],
  [1, 'suspend', 'never'],
  [1, 'startingDeadlineSeconds', -1],
  [2, 'completions', 5],
  [2, 'parallelism', 0],
  [2, 'completionMode', 'Indexed'],
  [2, 'suspend', true],
  [2, 'managedBy', 'example.com/queue'],
  [2, 'successPolicy', { rules: [], a: 1 }],
  [2, 'backoffLimit', 'six'],
  [2, 'activeDeadlineSeconds', 0],
  [3, 'initContainers', [{ name: 'first' }]],
  [3, 'restartPolicy', 'Always'],
  [3, 'containers', [{ command: ['a'] }, { command: ['b'] }]],
  [3, 'newField', 1],
  [4, 'restartPolicy', 'Always'],
  [4, 'command', 'sh -c date'],
  [4, 'args', [1]],
  [4, 'imagee', 'busybox'],
  [4, 'env', [{ name: 'A', value: 1 }]],
  [4, 'env', [{ name: 'a.b', value: 'c' }]],
] as const)('refuses and names %d %s: %j', (object, field, value) => {
  const manifest = least();
  objectsOf(manifest as never)[object]![field] = value;
  const { jobs, refused } = imported(manifest);
  expect(jobs).toEqual([]);
  expect(refused).toEqual([{ source: 'cron.yaml:1 CronJob/report', reason: expect.stringContaining(field) }]);
});

test('all that is wrong with a CronJob is told at once', () => {
  const manifest = {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'a' },
    spec: {
      schedule: '0 3 * * *',
      extra: 1,
      jobTemplate: {
        spec: { template: { spec: { restartPolicy: 'Always', containers: [{ imagee: 'x' }] } } },
      },
    },
  };
  const { jobs, refused } = imported(manifest);
  expect(jobs).toEqual([]);
  expect(refused.map(({ reason }) => reason)).toEqual([
    expect.stringMatching(/^spec\.extra is unknown; expected schedule/),
    'container.imagee is unknown; did you mean "image"?',
    expect.stringContaining('give the container a command'),
    'template.spec.restartPolicy is Always; expected Never or OnFailure',
  ]);
});
