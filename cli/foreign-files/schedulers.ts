import { isObject } from '../is-object';
import {
  AS_JOBS,
  has,
  isListOf,
  NO_IMPORT,
  type Row,
  some,
  someIn,
  someOf,
  startsWith,
  WITH_COMMANDS,
} from './kind';

const isCloudSchedulerJob = (value: Record<string, unknown>): boolean =>
  (startsWith(value.name, 'projects/') && has(value, 'schedule')) ||
  ['httpTarget', 'pubsubTarget', 'appEngineHttpTarget'].some((target) => isObject(value[target]));

/** As `nomad job inspect` prints it, as its API takes it, and as HCL in JSON. */
const isNomadJob = (value: Record<string, unknown>): boolean =>
  [value, value.Job].some((job) => isObject(job) && (has(job, 'TaskGroups') || has(job, 'Periodic'))) ||
  someIn(value.job, (job) => has(job, 'group') || has(job, 'periodic') || has(job, 'datacenters'));

const DAGSTER = [
  'run_launcher run_coordinator run_storage event_log_storage schedule_storage compute_logs run_monitoring',
  'local_artifact_storage run_retries run_queue telemetry retention code_servers python_logs',
].flatMap((names) => names.split(' '));

const isDagster = (value: Record<string, unknown>): boolean =>
  Array.isArray(value.load_from) ||
  startsWith(value.type, 'dagster') ||
  Object.keys(value).some((name) => DAGSTER.includes(name));

const isDatabricks = (value: Record<string, unknown>): boolean =>
  [value, value.settings].some((job) => isObject(job) && isQuartz(job.schedule)) ||
  (isObject(value.resources) &&
    someIn(value.resources.jobs, (job) => has(job, 'tasks') || isQuartz(job.schedule)));
const isQuartz = (schedule: unknown): boolean =>
  isObject(schedule) && has(schedule, 'quartz_cron_expression');

/** Files of schedulers, and of platforms that have one, in YAML or JSON. */
export const SCHEDULERS: readonly Row[] = [
  {
    what: 'jobs of Google Cloud Scheduler',
    advice: `${NO_IMPORT}: write each as a job, its timeZone as timezone, and its httpTarget as a target of type http`,
    is: (file) => someOf(file, isCloudSchedulerJob),
  },
  {
    what: 'a cron.yaml of Google App Engine',
    advice: `${AS_JOBS}, with the URLs that it calls as targets`,
    is: (file) => some(file, ({ cron }) => isListOf(cron, ['url', 'schedule'])),
  },
  {
    what: 'a job of Nomad',
    advice: WITH_COMMANDS,
    is: (file) => some(file, isNomadJob),
  },
  {
    what: 'a configuration of Prefect',
    advice: `${AS_JOBS}, and let workers run the flows`,
    is: (file) =>
      some(
        file,
        (value) =>
          has(value, 'prefect-version') ||
          isListOf(value.deployments, ['entrypoint']) ||
          isListOf(value.deployments, ['work_pool']),
      ),
  },
  {
    what: 'a configuration of Dagster',
    advice: `${AS_JOBS}: those of Dagster are in its Python code`,
    is: (file) => some(file, isDagster),
  },
  {
    what: 'a configuration of Vercel',
    advice: `${AS_JOBS}: each path becomes the URL of a target`,
    is: (file) =>
      some(
        file,
        (value) =>
          isListOf(value.crons, ['path', 'schedule']) ||
          startsWith(value.$schema, 'https://openapi.vercel.sh/'),
      ),
  },
  {
    what: 'a function of Azure',
    advice: `${AS_JOBS}; its six fields begin with the second, as they do here`,
    is: (file) =>
      some(
        file,
        ({ bindings, extensionBundle }) =>
          isListOf(bindings, ['type', 'direction']) ||
          isListOf(bindings, ['type', 'schedule']) ||
          extensionBundle !== undefined,
      ),
  },
  {
    what: 'a template or a workflow of Azure',
    advice: AS_JOBS,
    is: (file) =>
      some(file, (value) =>
        /schema\.management\.azure\.com/.test(
          JSON.stringify(value.$schema ?? (isObject(value.definition) && value.definition.$schema)),
        ),
      ),
  },
  {
    what: 'a blueprint of Render',
    advice: WITH_COMMANDS,
    is: (file) => some(file, ({ services }) => isListOf(services, ['type', 'name'])),
  },
  {
    what: 'a configuration of Railway',
    advice: WITH_COMMANDS,
    is: (file) =>
      some(
        file,
        ({ deploy, $schema: schema }) =>
          (isObject(deploy) && has(deploy, 'cronSchedule')) || /railway/.test(String(schema)),
      ),
  },
  {
    what: 'an app of Heroku',
    advice: `${AS_JOBS}: those of Heroku Scheduler are in its add-on, and in no file`,
    is: (file) =>
      some(
        file,
        (value) =>
          has(value, 'formation') ||
          has(value, 'buildpacks') ||
          (Array.isArray(value.addons) && has(value, 'name')),
      ),
  },
  {
    what: 'a flow of Kestra',
    advice: `${NO_IMPORT}: its tasks become tasks of a workflow`,
    is: (file) =>
      some(
        file,
        ({ id, namespace, tasks }) =>
          typeof id === 'string' && typeof namespace === 'string' && Array.isArray(tasks),
      ),
  },
  {
    what: 'a job of Dkron',
    advice: WITH_COMMANDS,
    is: (file) => someOf(file, (value) => has(value, 'schedule', 'executor')),
  },
  {
    what: 'a job of Rundeck',
    advice: WITH_COMMANDS,
    is: (file) => someOf(file, ({ sequence }) => isObject(sequence) && has(sequence, 'commands')),
  },
  {
    what: 'a job of Databricks',
    advice: AS_JOBS,
    is: (file) => some(file, isDatabricks),
  },
  {
    what: 'cron triggers of Hasura',
    advice: `${AS_JOBS}, with the URLs that it calls as targets`,
    is: ({ list }) => isListOf(list, ['webhook', 'schedule']),
  },
  {
    what: 'a workflow of n8n',
    advice: `${NO_IMPORT}: its nodes become tasks of a workflow`,
    is: (file) => some(file, ({ nodes, connections }) => Array.isArray(nodes) && isObject(connections)),
  },
  {
    what: 'a pipeline of CircleCI, Bitbucket or Drone',
    advice: AS_JOBS,
    is: (file) =>
      some(
        file,
        (value) =>
          has(value, 'version', 'workflows') ||
          (has(value, 'pipelines') && !has(value, 'jobs')) ||
          (value.kind === 'pipeline' && has(value, 'steps')),
      ),
  },
  {
    what: 'a manifest of AWS Copilot, or a project of Pulumi',
    advice: 'quarterjack import eventbridge reads its schedules once they are deployed',
    is: (file) =>
      some(
        file,
        ({ type, name, runtime }) => type === 'Scheduled Job' || has({ name, runtime }, 'name', 'runtime'),
      ),
  },
  {
    what: 'a folder of Control-M',
    advice: WITH_COMMANDS,
    is: (file) =>
      some(file, (value) => someIn(value, ({ Type: type }) => type === 'Folder' || type === 'SimpleFolder')),
  },
  {
    what: 'a schedule of Sidekiq or Resque',
    advice: `${AS_JOBS}, and let workers run the classes`,
    is: (file) =>
      some(file, (value) =>
        someIn(value, (one) => has(one, 'class') && (has(one, 'cron') || has(one, 'every'))),
      ),
  },
];
