import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { foreignFile } from '../../../cli/foreign-file';
import { Session } from './terminal-session';

/** The beginnings of files as other systems have them. */
const FILES: Record<string, { text: string; what: string; advice: string }> = {
  'chart.yaml': {
    text: 'apiVersion: batch/v1\nkind: CronJob\nmetadata:\n  name: {{ .Release.Name }}-a\n',
    what: 'a template of a Helm chart',
    advice: 'helm template NAME CHART | quarterjack import kubernetes -',
  },
  'argo.yaml': {
    text: 'apiVersion: argoproj.io/v1alpha1\nkind: CronWorkflow\nmetadata: { name: a }\nspec:\n  schedules: ["0 3 * * *"]\n',
    what: 'a workflow of Argo',
    advice: 'its steps become tasks of a workflow',
  },
  'kustomization.yaml': {
    text: 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [cron.yaml]\n',
    what: 'a file of Kustomize',
    advice: 'kustomize build DIRECTORY | quarterjack import kubernetes -',
  },
  'cronjob.yaml': {
    text: 'apiVersion: v1\nkind: Namespace\nmetadata: { name: a }\n---\napiVersion: batch/v1\nkind: CronJob\nmetadata: { name: a }\n',
    what: 'a manifest of Kubernetes',
    advice: 'quarterjack import kubernetes cronjob.yaml takes its CronJobs',
  },
  'billing.asl.json': {
    text: '{ "StartAt": "A", "States": { "A": { "Type": "Pass", "End": true } } }',
    what: 'a state machine of Step Functions',
    advice: 'use quarterjack import step-functions billing.asl.json',
  },
  'template.yaml': {
    text: 'Transform: AWS::Serverless-2016-10-31\nResources:\n  Nightly:\n    Type: AWS::Serverless::Function\n    Properties:\n      Role: !GetAtt Role.Arn\n',
    what: 'a template of CloudFormation or SAM',
    advice: 'quarterjack import eventbridge reads its schedules once they are deployed',
  },
  'stack.json': {
    text: '{ "Resources": { "Rule": { "Type": "AWS::Events::Rule" } } }',
    what: 'a template of CloudFormation or SAM',
    advice: 'import step-functions a definition',
  },
  'serverless.yml': {
    text: 'service: shop\nprovider:\n  name: aws\nfunctions:\n  nightly:\n    handler: a.b\n    events: [{ schedule: rate(1 day) }]\n',
    what: 'a configuration of the Serverless Framework',
    advice: 'quarterjack import eventbridge',
  },
  'schedule.json': {
    text: '{ "Name": "a", "ScheduleExpression": "rate(1 day)", "Target": { "Arn": "arn:aws:lambda:eu-central-1:1:function:a" } }',
    what: 'a schedule of EventBridge as AWS prints it',
    advice: 'use quarterjack import eventbridge schedule.json',
  },
  'nightly.yml': {
    text: 'on:\n  schedule:\n    - cron: "0 3 * * *"\njobs:\n  build:\n    runs-on: ubuntu-latest\n    steps: [{ run: make }]\n',
    what: 'a workflow of GitHub Actions',
    advice: 'write its schedules as jobs',
  },
  '.gitlab-ci.yml': {
    text: 'stages: [test]\nnightly:\n  stage: test\n  script: [make]\n',
    what: 'a pipeline of GitLab or Azure',
    advice: 'write its schedules as jobs',
  },
  'docker-compose.yml': {
    text: 'version: "3"\nservices:\n  cron:\n    image: alpine\n    command: crond -f\n',
    what: 'a file of Docker Compose',
    advice: 'quarterjack work runs a command on its machine',
  },
  'playbook.yml': {
    text: '- hosts: all\n  tasks:\n    - cron: { name: a, minute: "0", job: /bin/a }\n',
    what: 'a playbook of Ansible',
    advice: 'write its schedules as jobs',
  },
  'process.json': {
    text: '[{ "processDefinition": { "name": "etl" }, "taskDefinitionList": [] }]',
    what: 'a process of DolphinScheduler',
    advice: 'docs/coming-from-dolphinscheduler.md',
  },
  'terraform.tfstate': {
    text: '{ "version": 4, "terraform_version": "1.9.0", "resources": [] }',
    what: 'a state of Terraform',
    advice: 'quarterjack import eventbridge',
  },
  'main.tf': {
    text: '# nightly\nresource "aws_scheduler_schedule" "nightly" {\n  schedule_expression = "rate(1 day)"\n}\n',
    what: 'a configuration of Terraform',
    advice: 'quarterjack import eventbridge reads its schedules once they are applied',
  },
  'holidays.ics': {
    text: 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n',
    what: 'an iCalendar file',
    advice: 'use quarterjack calendars import holidays.ics --id ID',
  },
  'task.xml': {
    text: '<?xml version="1.0" encoding="UTF-16"?>\n<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">\n</Task>\n',
    what: 'a task of the Windows Task Scheduler',
    advice: 'let quarterjack work run the commands',
  },
  'com.example.a.plist': {
    text: '<?xml version="1.0"?>\n<!DOCTYPE plist>\n<plist version="1.0"><dict><key>StartInterval</key></dict></plist>\n',
    what: 'a property list of launchd',
    advice: 'let quarterjack work run the commands',
  },
  'jobs.xml': {
    text: '<job-scheduling-data xmlns="http://www.quartz-scheduler.org/xml/JobSchedulingData"></job-scheduling-data>\n',
    what: 'a configuration of Quartz or Spring',
    advice: 'docs/schedules.md says how expressions of Quartz differ',
  },
  'beans.xml': {
    text: '<?xml version="1.0"?>\n<beans xmlns:task="http://www.springframework.org/schema/task">\n<task:scheduled-tasks/></beans>\n',
    what: 'a configuration of Quartz or Spring',
    advice: 'docs/schedules.md',
  },
  'nightly.timer': {
    text: '[Unit]\nDescription=nightly\n\n[Timer]\nOnCalendar=daily\n',
    what: 'a unit of systemd',
    advice: 'let quarterjack work run the commands',
  },
  'dag.py': {
    text: '"""Nightly."""\nfrom airflow import DAG\n\nwith DAG("etl", schedule="@daily") as dag:\n    pass\n',
    what: 'a DAG of Airflow',
    advice: 'docs/coming-from-airflow.md',
  },
  'schedule.ts': {
    text: "import { Client } from '@temporalio/client';\n\nawait client.schedule.create({ spec: { intervals: [{ every: '1h' }] } });\n",
    what: 'source code of Temporal',
    advice: 'docs/coming-from.md',
  },
  'trigger.ts': {
    text: "import { schedules } from '@trigger.dev/sdk/v3';\n\nexport const nightly = schedules.task({ id: 'a', cron: '0 3 * * *' });\n",
    what: 'source code of Trigger.dev or Inngest',
    advice: 'write its schedules as jobs',
  },
  'Nightly.java': {
    text: 'package a;\n\nimport org.springframework.scheduling.annotation.Scheduled;\n\nclass Nightly {}\n',
    what: 'source code of Spring or Quartz',
    advice: 'docs/schedules.md',
  },
  Jenkinsfile: {
    text: "pipeline {\n  agent any\n  triggers { cron('H 3 * * *') }\n}\n",
    what: 'a Jenkinsfile',
    advice: 'write its schedules as jobs',
  },
  'root.cron': {
    text: '# nightly\nPATH=/usr/bin\n0 3 * * 1-5 /usr/local/bin/backup --all\n@daily /bin/a\n',
    what: 'a crontab',
    advice: 'use quarterjack import crontab root.cron',
  },
  'jobs.yaml': {
    text: 'jobs:\n  a:\n    schedule: rate(5 minutes)\n    target: { type: http, url: https://example.com }\n',
    what: 'a file of jobs',
    advice: 'use quarterjack plan jobs.yaml',
  },
};

const READERS = {
  plan: 'jobs.yaml',
  'jobs create a --file': 'jobs.yaml',
  'calendars set a': 'jobs.yaml',
  'import kubernetes': 'cronjob.yaml',
  'import step-functions': 'billing.asl.json',
  'import crontab': 'root.cron',
  'import eventbridge': 'schedule.json',
  'calendars import --id a': 'holidays.ics',
};

let session: Session;
beforeEach(() => {
  session = new Session();
});
afterEach(() => session.end());

describe.each(Object.entries(READERS))('%s', (command, own) => {
  const given = Object.entries(FILES).filter(
    ([name]) => name !== own && !(own === 'cronjob.yaml' && /^(?:argo|kustomization|chart)/.test(name)),
  );
  test.each(given)('%s', async (name, { text, what, advice }) => {
    const path = join(session.home, name);
    writeFileSync(path, text);
    const { exitCode, stderr } = await session.run(`${command} ${path}`);
    expect(exitCode).toBe(3);
    const said = stderr
      .replaceAll(session.home + '/', '')
      .trim()
      .split('\n');
    expect(said.at(-1)).toContain(`quarterjack: ${name}: it looks like ${what}: `);
    expect(said.at(-1)).toContain(advice);
    expect(session.requests.filter((request) => !request.startsWith('GET'))).toEqual([]);
  });
});

test('a task that Windows exports, in UTF-16, is known', () => {
  const text = Buffer.from(`\uFEFF${FILES['task.xml']!.text}`, 'utf16le').toString('utf8');
  expect(foreignFile(text, 'task.xml', 'jobs')).toContain('Windows Task Scheduler');
});

test.each(['a: 1', 'hello', '', '- 1', '{}', 'jobs: {}', 'name: a\nservices: none'])(
  '%j is nothing known',
  (text) => {
    expect(foreignFile(text, 'a', 'calendar')).toBeUndefined();
  },
);

test('a tag that another program resolves is refused by its name, and is no text', async () => {
  const stdin = 'schedule: rate(5 minutes)\ntarget:\n  type: http\n  url: !Sub https://${Host}/a\n';
  const { exitCode, stderr } = await session.run('jobs create a --file -', { stdin });
  expect([exitCode, stderr]).toEqual([
    3,
    expect.stringContaining('stdin:4: !Sub is a tag that only another program knows: write the value itself'),
  ]);
});
