import { parseAllDocuments } from 'yaml';

import { isObject } from './is-object';

/** A file as the table sees it. */
interface Seen {
  text: string;
  /** Its documents that are objects, in YAML or JSON. Empty if it is neither. */
  objects: readonly Record<string, unknown>[];
  /** Its only document, if that is a list. */
  list: readonly unknown[];
}

/** What this program reads itself. */
export type Own = 'jobs' | 'crontab' | 'step-functions' | 'kubernetes' | 'calendar';

interface Row {
  /** Present if a command reads such files. */
  own?: Own;
  what: string;
  advice: string;
  is(file: Seen): boolean;
}

const some = (file: Seen, test: (value: Record<string, unknown>) => boolean): boolean =>
  file.objects.some(test);
/** An object of objects, one of which passes. */
const someIn = (value: unknown, test: (inner: Record<string, unknown>) => boolean): boolean =>
  isObject(value) && Object.values(value).some((inner) => isObject(inner) && test(inner));
const has = (value: Record<string, unknown>, ...names: string[]): boolean =>
  names.every((name) => value[name] !== undefined);
const startsWith = (value: unknown, prefix: string): boolean =>
  typeof value === 'string' && value.startsWith(prefix);

const isCloudFormation = (value: Record<string, unknown>): boolean =>
  has(value, 'AWSTemplateFormatVersion') ||
  startsWith(value.Transform, 'AWS::') ||
  someIn(value.Resources, ({ Type: type }) => startsWith(type, 'AWS::') || startsWith(type, 'Custom::'));

const CRON_LINE =
  /^(?:@(?:reboot|yearly|annually|monthly|weekly|daily|midnight|hourly)|(?:[\d*,/-]+\s+){2}(?:[\dA-Za-z*,/-]+\s+){2}[\dA-Za-z*,/-]+)\s+\S/;
const SETTING = /^[A-Za-z_]\w*\s*=/;

/** Whether each line is one of a crontab, and one of them has a schedule. */
function isCrontab({ text }: Seen): boolean {
  const lines = text.split('\n').map((line) => line.trim());
  const content = lines.filter((line) => line !== '' && !line.startsWith('#'));
  return (
    content.some((line) => CRON_LINE.test(line)) &&
    content.every((line) => CRON_LINE.test(line) || SETTING.test(line))
  );
}

const NO_IMPORT = 'there is no import for it';
const AS_JOBS = `${NO_IMPORT}: write its schedules as jobs`;

/** Files of other systems, by what they are made of. The first row that fits says what a file is. */
const TABLE: readonly Row[] = [
  {
    what: 'a template of a Helm chart',
    advice: 'import what it becomes: helm template NAME CHART | quarterjack import kubernetes -',
    is: ({ text }) => /\{\{-?\s*(?:\$?\.(?:Values|Release|Chart)\b|include\s+")/.test(text),
  },
  {
    what: 'a workflow of Argo',
    advice: `${NO_IMPORT}: its steps become tasks of a workflow`,
    is: (file) => some(file, ({ apiVersion }) => startsWith(apiVersion, 'argoproj.io/')),
  },
  {
    what: 'a file of Kustomize',
    advice: 'import what it becomes: kustomize build DIRECTORY | quarterjack import kubernetes -',
    is: (file) => some(file, ({ apiVersion }) => startsWith(apiVersion, 'kustomize.config.k8s.io/')),
  },
  {
    own: 'kubernetes',
    what: 'a manifest of Kubernetes',
    advice: 'quarterjack import kubernetes FILE takes its CronJobs',
    is: (file) =>
      some(file, ({ apiVersion, kind }) => typeof apiVersion === 'string' && typeof kind === 'string'),
  },
  {
    own: 'step-functions',
    what: 'a state machine of Step Functions',
    advice: 'use quarterjack import step-functions FILE',
    is: (file) => some(file, (value) => has(value, 'StartAt', 'States')),
  },
  {
    what: 'a template of CloudFormation or SAM',
    advice:
      'quarterjack import eventbridge reads its schedules once they are deployed, and import step-functions a definition',
    is: (file) => some(file, isCloudFormation) || /^AWSTemplateFormatVersion:/m.test(file.text),
  },
  {
    what: 'a configuration of the Serverless Framework',
    advice: 'quarterjack import eventbridge reads its schedules once they are deployed',
    is: (file) => some(file, (value) => has(value, 'service', 'provider') && !has(value, 'jobs')),
  },
  {
    what: 'a schedule of EventBridge as AWS prints it',
    advice: 'use quarterjack import eventbridge, which reads the account',
    is: (file) =>
      some(
        file,
        (value) =>
          has(value, 'ScheduleExpression') ||
          [value.Rules, value.Schedules].some((list) => Array.isArray(list) && list.every(isObject)),
      ),
  },
  {
    what: 'a workflow of GitHub Actions',
    advice: AS_JOBS,
    is: (file) =>
      some(file, ({ jobs }) =>
        someIn(jobs, (job) => has(job, 'runs-on') || (has(job, 'uses') && !has(job, 'schedule'))),
      ),
  },
  {
    what: 'a pipeline of GitLab or Azure',
    advice: AS_JOBS,
    is: (file) =>
      some(
        file,
        (value) =>
          (Array.isArray(value.stages) && someIn(value, (job) => has(job, 'script'))) ||
          (has(value, 'pool') && (Array.isArray(value.steps) || Array.isArray(value.stages))),
      ),
  },
  {
    what: 'a file of Docker Compose',
    advice: `${NO_IMPORT}: quarterjack work runs a command on its machine`,
    is: (file) =>
      some(file, ({ services }) => someIn(services, (one) => has(one, 'image') || has(one, 'build'))),
  },
  {
    what: 'a playbook of Ansible',
    advice: AS_JOBS,
    is: ({ list }) => list.some((play) => isObject(play) && has(play, 'hosts')),
  },
  {
    what: 'a process of DolphinScheduler',
    advice: `${NO_IMPORT}: docs/coming-from-dolphinscheduler.md says what becomes of each part`,
    is: (file) =>
      [...file.objects, ...file.list.filter(isObject)].some(
        (value) => has(value, 'processDefinition') || has(value, 'taskDefinitionList'),
      ),
  },
  {
    what: 'a state of Terraform',
    advice: 'quarterjack import eventbridge reads schedules from the account',
    is: (file) => some(file, (value) => has(value, 'terraform_version')),
  },
  {
    what: 'a configuration of Terraform',
    advice: 'quarterjack import eventbridge reads its schedules once they are applied',
    is: ({ text }) =>
      /^(?:(?:resource|data)\s+"[^"\n]+"\s+"[^"\n]+"|(?:module|provider|variable)\s+"[^"\n]+"|terraform)\s*\{/m.test(
        text,
      ),
  },
  {
    own: 'calendar',
    what: 'an iCalendar file',
    advice: 'use quarterjack calendars import FILE --id ID',
    is: ({ text }) => /^\s*BEGIN:VCALENDAR/i.test(text),
  },
  {
    what: 'a task of the Windows Task Scheduler',
    advice: `${AS_JOBS}, and let quarterjack work run the commands`,
    is: ({ text }) => text.includes('schemas.microsoft.com/windows/2004/02/mit/task'),
  },
  {
    what: 'a property list of launchd',
    advice: `${AS_JOBS}, and let quarterjack work run the commands`,
    is: ({ text }) => /<plist[\s>]/.test(text),
  },
  {
    what: 'a configuration of Quartz or Spring',
    advice: `${AS_JOBS}; docs/schedules.md says how expressions of Quartz differ`,
    is: ({ text }) =>
      /^\s*</.test(text) &&
      /<job-scheduling-data|quartz|<task:scheduled|springframework\.org\/schema/i.test(text),
  },
  {
    what: 'a unit of systemd',
    advice: `${AS_JOBS}, and let quarterjack work run the commands`,
    is: ({ text }) => /^\[(?:Timer|Service|Unit)\]\s*$/m.test(text),
  },
  {
    what: 'a DAG of Airflow',
    advice: `${NO_IMPORT}: docs/coming-from-airflow.md says what becomes of each part`,
    is: ({ text }) => /^\s*(?:from|import)\s+airflow\b/m.test(text),
  },
  {
    what: 'source code of Temporal',
    advice: `${NO_IMPORT}: docs/coming-from.md says what becomes of its schedules`,
    is: ({ text }) =>
      /['"]@temporalio\/|go\.temporal\.io\/sdk|\bio\.temporal\.|^\s*(?:from|import)\s+temporalio\b/m.test(
        text,
      ),
  },
  {
    what: 'source code of Trigger.dev or Inngest',
    advice: AS_JOBS,
    is: ({ text }) => /['"](?:@trigger\.dev\/|inngest\b)/.test(text),
  },
  {
    what: 'source code of Spring or Quartz',
    advice: `${AS_JOBS}; docs/schedules.md says how expressions of Quartz differ`,
    is: ({ text }) => /^\s*import\s+(?:static\s+)?org\.(?:springframework|quartz)\./m.test(text),
  },
  {
    what: 'a Jenkinsfile',
    advice: AS_JOBS,
    is: ({ text }) => /^\s*(?:pipeline|node(?:\([^)\n]*\))?)\s*\{/m.test(text),
  },
  {
    own: 'crontab',
    what: 'a crontab',
    advice: 'use quarterjack import crontab FILE',
    is: isCrontab,
  },
  {
    own: 'jobs',
    what: 'a file of jobs',
    advice: 'use quarterjack plan FILE',
    is: (file) =>
      some(file, ({ jobs }) =>
        Array.isArray(jobs)
          ? jobs.some((job) => isObject(job) && has(job, 'schedule'))
          : someIn(jobs, (job) => has(job, 'schedule')),
      ),
  },
];

/** More is not parsed to find out what a file is. */
const MAX_PARSED = 5_000_000;

/**
 * What a file is that a command cannot read, and what to do with it. Undefined: nothing that is known, or
 * what the command itself reads.
 */
export function foreignFile(given: string, path: string, reads: Own): string | undefined {
  // Windows writes UTF-16.
  const text = given.replaceAll('\0', '').replace(/^[\uFEFF\uFFFD]+/, '');
  const file = seen(text);
  if (TABLE.some(({ own, is }) => own === reads && is(file))) return undefined;
  const row = TABLE.find((one) => one.is(file));
  if (row === undefined) return undefined;
  return `${path}: it looks like ${row.what}: ${row.advice.replace('FILE', path === 'stdin' ? '-' : path)}`;
}

function seen(text: string): Seen {
  const values = valuesIn(text);
  const [first] = values;
  return {
    text,
    objects: values.filter(isObject),
    list: values.length === 1 && Array.isArray(first) ? (first as unknown[]) : [],
  };
}

/** The documents of a text, whatever their tags mean. Empty if it is no YAML. */
function valuesIn(text: string): unknown[] {
  if (text.length > MAX_PARSED) return [];
  try {
    const documents = parseAllDocuments(text, { logLevel: 'silent' });
    return 'empty' in documents ? [] : documents.map((document): unknown => document.toJS());
  } catch {
    return []; // aliases that cannot be resolved
  }
}
