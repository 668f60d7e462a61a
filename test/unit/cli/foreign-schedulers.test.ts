import { foreignFile } from '../../../cli/foreign-file';
import type { Own } from '../../../cli/foreign-files/kind';
import { Session } from './terminal-session';

/** Schedulers and platforms that no import reads: what each file is, and a word of what to do with it. */
const NAMED: [path: string, text: string, what: string][] = [
  [
    'prefect.yaml',
    'name: shop\nprefect-version: 3.4.0\npull: null\ndeployments: []\n',
    'a configuration of Prefect',
  ],
  [
    'prefect.yaml',
    'deployments:\n  - name: nightly\n    entrypoint: flows.py:etl\n    schedules: [{ cron: "0 3 * * *" }]\n',
    'a configuration of Prefect',
  ],
  ['flows.py', 'from prefect import flow\n\n@flow\ndef etl(): ...\n', 'code of Prefect'],
  ['workspace.yaml', 'load_from:\n  - python_module: shop.definitions\n', 'a configuration of Dagster'],
  [
    'dagster.yaml',
    'run_coordinator:\n  module: dagster.core.run_coordinator\n',
    'a configuration of Dagster',
  ],
  ['dagster.yaml', 'telemetry:\n  enabled: false\n', 'a configuration of Dagster'],
  ['defs.yaml', 'type: dagster.ScheduleComponent\nattributes: {}\n', 'a configuration of Dagster'],
  ['definitions.py', 'import dagster as dg\n\n@dg.schedule(cron_schedule="0 3 * * *")\n', 'code of Dagster'],
  ['pyproject.toml', '[project]\nname = "a"\n\n[tool.dg.project]\nroot_module = "a"\n', 'code of Dagster'],
  [
    'nightly.nomad',
    '# nightly\njob "nightly" {\n  type = "batch"\n  periodic {\n    crons = ["0 3 * * *"]\n  }\n}\n',
    'a job of Nomad',
  ],
  [
    'nightly.json',
    '{ "Job": { "ID": "a", "Type": "batch", "Periodic": { "Spec": "0 3 * * *" } } }',
    'a job of Nomad',
  ],
  ['nightly.json', '{ "ID": "a", "Type": "batch", "TaskGroups": [] }', 'a job of Nomad'],
  [
    'nightly.json',
    '{ "job": { "nightly": { "periodic": { "cron": "0 3 * * *" }, "group": {} } } }',
    'a job of Nomad',
  ],
  [
    'job.yaml',
    'httpTarget:\n  uri: https://example.com\nname: projects/p/locations/europe-west3/jobs/a\nschedule: 0 3 * * *\n',
    'jobs of Google Cloud Scheduler',
  ],
  [
    'job.json',
    '{ "name": "projects/p/locations/l/jobs/a", "schedule": "0 3 * * *", "pubsubTarget": { "topicName": "t" } }',
    'jobs of Google Cloud Scheduler',
  ],
  [
    'jobs.json',
    '[{ "name": "projects/p/locations/l/jobs/a", "schedule": "every 5 minutes", "state": "ENABLED" }]',
    'jobs of Google Cloud Scheduler',
  ],
  [
    'jobs.yaml',
    '---\nname: projects/p/locations/l/jobs/a\nschedule: 0 3 * * *\n---\nname: projects/p/locations/l/jobs/b\n',
    'jobs of Google Cloud Scheduler',
  ],
  [
    'jobs.txt',
    'ID  LOCATION      SCHEDULE (TZ)              TARGET_TYPE  STATE\na   europe-west3  0 3 * * * (Etc/UTC)  HTTP  ENABLED\n',
    'jobs of Google Cloud Scheduler',
  ],
  [
    'cron.yaml',
    'cron:\n- url: /tasks/summary\n  schedule: every 24 hours\n',
    'a cron.yaml of Google App Engine',
  ],
  [
    'vercel.json',
    '{ "crons": [{ "path": "/api/cron", "schedule": "0 5 * * *" }] }',
    'a configuration of Vercel',
  ],
  [
    'vercel.json',
    '{ "$schema": "https://openapi.vercel.sh/vercel.json", "rewrites": [] }',
    'a configuration of Vercel',
  ],
  [
    'wrangler.toml',
    'name = "a"\nmain = "src/index.ts"\ncompatibility_date = "2026-01-01"\n\n[triggers]\ncrons = ["0 3 * * *"]\n',
    'a configuration of Cloudflare Workers',
  ],
  [
    'wrangler.jsonc',
    '{\n  // a worker\n  "name": "a",\n  "compatibility_date": "2026-01-01",\n  "triggers": { "crons": ["0 3 * * *"] },\n}\n',
    'a configuration of Cloudflare Workers',
  ],
  ['netlify.toml', '[functions."nightly"]\n  schedule = "@daily"\n', 'a configuration of Netlify'],
  [
    'fly.toml',
    'app = "a"\nprimary_region = "fra"\n\n[processes]\ncron = "supercronic /app/crontab"\n',
    'a configuration of Fly.io',
  ],
  [
    'render.yaml',
    'services:\n  - type: cron\n    name: nightly\n    runtime: node\n    schedule: "0 3 * * *"\n',
    'a blueprint of Render',
  ],
  ['railway.json', '{ "deploy": { "cronSchedule": "0 3 * * *" } }', 'a configuration of Railway'],
  [
    'railway.toml',
    '[deploy]\nstartCommand = "a"\ncronSchedule = "0 3 * * *"\n',
    'a configuration of Railway',
  ],
  ['app.json', '{ "name": "a", "addons": ["scheduler:standard"] }', 'an app of Heroku'],
  ['Procfile', 'web: node index.js\nclock: node clock.js\n', 'a Procfile'],
  [
    'function.json',
    '{ "bindings": [{ "name": "t", "type": "timerTrigger", "direction": "in", "schedule": "0 0 3 * * *" }] }',
    'a function of Azure',
  ],
  [
    'host.json',
    '{ "version": "2.0", "extensionBundle": { "id": "a", "version": "[4.*, 5.0.0)" } }',
    'a function of Azure',
  ],
  [
    'Nightly.cs',
    'class A {\n  [Function("a")]\n  public void Run([TimerTrigger("0 0 3 * * *")] TimerInfo t) {}\n}\n',
    'code of Azure Functions',
  ],
  [
    'logic-app.json',
    '{ "definition": { "$schema": "https://schema.management.azure.com/providers/Microsoft.Logic/schemas/2016-06-01/workflowdefinition.json#", "triggers": {} } }',
    'a template or a workflow of Azure',
  ],
  [
    'quartz.properties',
    'org.quartz.scheduler.instanceName = a\norg.quartz.threadPool.threadCount = 3\n',
    'a configuration of Quartz or Spring',
  ],
  [
    'flow.yaml',
    'id: nightly\nnamespace: shop\ntasks:\n  - id: a\n    type: io.kestra.plugin.core.log.Log\n',
    'a flow of Kestra',
  ],
  [
    'dkron.json',
    '{ "name": "a", "schedule": "@every 1h", "executor": "shell", "executor_config": { "command": "a" } }',
    'a job of Dkron',
  ],
  [
    'rundeck.yaml',
    '- name: nightly\n  schedule: { time: { hour: "3" } }\n  sequence:\n    commands: [{ exec: a }]\n',
    'a job of Rundeck',
  ],
  [
    'databricks.yml',
    'bundle: { name: a }\nresources:\n  jobs:\n    nightly:\n      schedule: { quartz_cron_expression: 0 0 3 * * ? }\n',
    'a job of Databricks',
  ],
  [
    'cron_triggers.yaml',
    '- name: nightly\n  webhook: https://example.com\n  schedule: 0 3 * * *\n',
    'cron triggers of Hasura',
  ],
  ['schedule.yml', 'nightly:\n  cron: "0 3 * * *"\n  class: NightlyJob\n', 'a schedule of Sidekiq or Resque'],
  [
    'schedule.rb',
    "every 1.day, at: '3:00 am' do\n  rake 'nightly'\nend\n",
    'a schedule of Laravel or whenever',
  ],
  [
    'console.php',
    "<?php\nSchedule::command('nightly')->dailyAt('03:00');\n",
    'a schedule of Laravel or whenever',
  ],
  [
    'worker.js',
    "const cron = require('node-cron');\ncron.schedule('0 3 * * *', run);\n",
    'code of a scheduler of Node.js',
  ],
  [
    'tasks.py',
    'from celery import Celery\nfrom celery.schedules import crontab\n',
    'code of a scheduler of Python',
  ],
  [
    'Startup.cs',
    'using Hangfire;\n\nRecurringJob.AddOrUpdate("a", () => Run(), Cron.Daily);\n',
    'code of Hangfire or Quartz.NET',
  ],
  ['cron.sql', "SELECT cron.schedule('nightly', '0 3 * * *', 'VACUUM');\n", 'jobs of pg_cron'],
  ['config.ini', '[job-exec "nightly"]\nschedule = @daily\ncommand = a\n', 'jobs of Ofelia'],
  ['nightly.jil', 'insert_job: nightly\njob_type: CMD\nstart_times: "03:00"\n', 'jobs of AutoSys'],
  [
    'config.yml',
    'version: 2.1\nworkflows:\n  nightly:\n    triggers: [{ schedule: { cron: "0 3 * * *" } }]\n',
    'a pipeline of CircleCI, Bitbucket or Drone',
  ],
  [
    'config.xml',
    '<project>\n<triggers><hudson.triggers.TimerTrigger><spec>H 3 * * *</spec>\n</project>\n',
    'a job of Jenkins, Rundeck or Oozie',
  ],
  [
    'main.tf',
    'resource "google_cloud_scheduler_job" "a" {\n  schedule = "0 3 * * *"\n}\n',
    'a configuration of Terraform without AWS',
  ],
];

const OTHER_READERS: Own[] = ['jobs', 'crontab', 'step-functions', 'kubernetes', 'calendar'];

test.each(NAMED)('%s, %j, is %s', (path, text, what) => {
  const said = OTHER_READERS.map((reads) => foreignFile(text, path, reads));
  expect(said).toEqual(said.map(() => expect.stringContaining(`${path}: it looks like ${what}: `)));
  expect(said[0]).toMatch(/write (?:its schedules|each) as|there is no import for it: (?:its|docs)/);
});

let session: Session;
beforeEach(() => {
  session = new Session();
});
afterEach(() => session.end());

test.each(['jobs create a --file', 'plan', 'import kubernetes'])(
  '%s names a job of Cloud Scheduler',
  async (command) => {
    const stdin =
      '{ "name": "projects/p/locations/l/jobs/a", "schedule": "0 3 * * *", "httpTarget": { "uri": "https://a.test" } }';
    const { exitCode, stderr } = await session.run(`${command} -`, { stdin });
    expect([exitCode, stderr]).toEqual([
      3,
      expect.stringContaining('it looks like jobs of Google Cloud Scheduler'),
    ]);
  },
);

test('the definition of a job is told from a file of jobs', () => {
  const text = 'schedule: rate(5 minutes)\ntarget: { type: http, url: https://example.com }\n';
  expect(foreignFile(text, 'a.yaml', 'crontab')).toContain(
    'the definition of a job: use quarterjack jobs create ID --file a.yaml',
  );
  expect(foreignFile(text, 'a.yaml', 'jobs')).toBeUndefined();
});
