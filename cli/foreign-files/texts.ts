import { AS_JOBS, NO_IMPORT, type Row, type Seen, WITH_COMMANDS } from './kind';

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

/** Whether each line is a process and its command, and one is such as people have. */
function isProcfile({ text }: Seen): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  return (
    lines.every((line) => /^[\w-]+:\s+[^\s{["']/.test(line)) &&
    lines.some((line) => /^(?:web|worker|clock|release|scheduler):/.test(line))
  );
}

const importsPython =
  (names: string) =>
  ({ text }: Pick<Seen, 'text'>): boolean =>
    new RegExp(`^\\s*(?:from|import)\\s+(?:${names})\\b`, 'm').test(text);

const TERRAFORM =
  /^(?:(?:resource|data)\s+"[^"\n]+"\s+"[^"\n]+"|(?:module|provider|variable)\s+"[^"\n]+"|terraform)\s*\{/m;

/** Files in other languages. */
export const TEXTS: readonly Row[] = [
  {
    what: 'a configuration of Terraform without AWS',
    advice: AS_JOBS,
    is: ({ text }) => TERRAFORM.test(text) && !/"aws_/.test(text),
  },
  {
    what: 'a configuration of Terraform',
    advice: 'quarterjack import eventbridge reads its schedules once they are applied',
    is: ({ text }) => TERRAFORM.test(text),
  },
  {
    what: 'a job of Nomad',
    advice: WITH_COMMANDS,
    is: ({ text }) => /^job\s+"[^"\n]+"\s*\{/m.test(text),
  },
  {
    own: 'calendar',
    what: 'an iCalendar file',
    advice: 'use quarterjack calendars import FILE --id ID',
    is: ({ text }) => /^\s*BEGIN:VCALENDAR/i.test(text),
  },
  {
    what: 'a task of the Windows Task Scheduler',
    advice: WITH_COMMANDS,
    is: ({ text }) => text.includes('schemas.microsoft.com/windows/2004/02/mit/task'),
  },
  {
    what: 'a property list of launchd',
    advice: WITH_COMMANDS,
    is: ({ text }) => /<plist[\s>]/.test(text),
  },
  {
    what: 'a configuration of Quartz or Spring',
    advice: `${AS_JOBS}; docs/schedules.md says how expressions of Quartz differ`,
    is: ({ text }) =>
      (/^\s*</.test(text) &&
        /<job-scheduling-data|quartz|<task:scheduled|springframework\.org\/schema/i.test(text)) ||
      /^\s*(?:org\.quartz|spring\.quartz)\.\S+\s*=/m.test(text),
  },
  {
    what: 'a job of Jenkins, Rundeck or Oozie',
    advice: AS_JOBS,
    is: ({ text }) => /^\s*</.test(text) && /<hudson\.triggers\.|<joblist>|<coordinator-app\b/.test(text),
  },
  {
    what: 'a unit of systemd',
    advice: WITH_COMMANDS,
    is: ({ text }) => /^\[(?:Timer|Service|Unit)\]\s*$/m.test(text),
  },
  {
    what: 'jobs of Ofelia',
    advice: WITH_COMMANDS,
    is: ({ text }) => /^\[job-(?:exec|run|local|service-run)\s+"/m.test(text),
  },
  {
    what: 'a configuration of Cloudflare Workers',
    advice: `${AS_JOBS}, whose target is a URL of the Worker`,
    is: ({ text }) =>
      /^\s*['"]?compatibility_date['"]?\s*[=:]/m.test(text) ||
      /^\[(?:env\.[\w-]+\.)?triggers\]\s*$/m.test(text),
  },
  {
    what: 'a configuration of Netlify',
    advice: `${AS_JOBS}, whose target is the URL of the function`,
    is: ({ text }) =>
      (/^\[functions\b.*\]\s*$/m.test(text) && /^\s*schedule\s*=/m.test(text)) ||
      /['"]@netlify\/functions['"]/.test(text),
  },
  {
    what: 'a configuration of Railway',
    advice: WITH_COMMANDS,
    is: ({ text }) => /^\s*cronSchedule\s*=/m.test(text),
  },
  {
    what: 'a configuration of Fly.io',
    advice: WITH_COMMANDS,
    is: ({ text }) => /^primary_region\s*=/m.test(text),
  },
  {
    what: 'jobs of Google Cloud Scheduler',
    advice: `${NO_IMPORT}: write each as a job, its timeZone as timezone, and its httpTarget as a target of type http`,
    is: ({ text }) => /^ID\s+LOCATION\s+SCHEDULE \(TZ\)/m.test(text),
  },
  {
    what: 'jobs of AutoSys',
    advice: WITH_COMMANDS,
    is: ({ text }) => /^\s*(?:insert|update)_job:/m.test(text),
  },
  {
    what: 'jobs of pg_cron',
    advice: AS_JOBS,
    is: ({ text }) => /^[^#]*\bselect\s+cron\.schedule/im.test(text),
  },
  {
    what: 'a Procfile',
    advice: WITH_COMMANDS,
    is: isProcfile,
  },
  {
    what: 'a DAG of Airflow',
    advice: `${NO_IMPORT}: docs/coming-from-airflow.md says what becomes of each part`,
    is: ({ text }) => /^\s*(?:from|import)\s+airflow\b/m.test(text),
  },
  {
    what: 'code of Prefect',
    advice: `${AS_JOBS}, and let workers run the flows`,
    is: importsPython('prefect'),
  },
  {
    what: 'code of Dagster',
    advice: `${NO_IMPORT}: its ops become tasks of a workflow, and its schedules jobs`,
    is: ({ text }) => importsPython('dagster')({ text }) || /^\[tool\.(?:dagster|dg)\b/m.test(text),
  },
  {
    what: 'code of a scheduler of Python',
    advice: `${AS_JOBS}, and let workers run the functions`,
    is: importsPython('celery|apscheduler|rq_scheduler|huey|luigi|schedule|dramatiq'),
  },
  {
    what: 'code of Azure Functions',
    advice: `${AS_JOBS}; its six fields begin with the second, as they do here`,
    is: ({ text }) =>
      /\[TimerTrigger\(|@TimerTrigger\(|\bapp\.timer\(|@\w+\.(?:timer_trigger|schedule)\(/.test(text),
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
    what: 'code of a scheduler of Node.js',
    advice: `${NO_IMPORT}: docs/coming-from.md says what becomes of the schedules of BullMQ, and of cron`,
    is: ({ text }) =>
      /(?:from|require\()\s*['"](?:node-cron|cron|node-schedule|bullmq|bull|agenda|croner|bree|@nestjs\/schedule)['"]|\bDeno\.cron\(/.test(
        text,
      ),
  },
  {
    what: 'code of Hangfire or Quartz.NET',
    advice: `${AS_JOBS}; docs/schedules.md says how expressions of Quartz differ`,
    is: ({ text }) => /^\s*using\s+(?:Quartz|Hangfire)\b/m.test(text),
  },
  {
    what: 'a schedule of Laravel or whenever',
    advice: WITH_COMMANDS,
    is: ({ text }) =>
      /\bSchedule::\w+\(|\$schedule->\w+\(/.test(text) ||
      (/^\s*every\b.*\bdo\b/m.test(text) && /^\s*(?:rake|runner|command)\b/m.test(text)),
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
];
