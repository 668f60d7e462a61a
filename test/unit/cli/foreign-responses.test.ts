import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { treeOf } from '../../../cli/completion/tree';
import { processIo } from '../../../cli/io';
import { makeProgram } from '../../../cli/program';
import { Session } from './terminal-session';

let session: Session;
beforeEach(() => (session = new Session()));
afterEach(() => session.end());

/** JSON that servers other than a Quarterjack API answer with. */
const BODIES = [
  'null',
  '[]',
  '"x"',
  '7',
  '{}',
  '{"items":null}',
  '{"items":[null]}',
  '{"items":["x"],"nextCursor":null}',
  '{"items":[{}],"nextCursor":null}',
  '{"status":"ok"}',
];

const EDIT = "--schedule 'every 5m'";
const AT = "--at '2026-11-17 09:30'";
const RANGE = '--from 2026-11-01 --to 2026-11-02';

/** A command line for each command that asks the API. FILE has jobs, WORKFLOW a workflow, and so on. */
const COMMANDS: Record<string, string> = {
  'admin redrive': 'admin redrive work --max 5',
  'admin start': 'admin start',
  'admin status': 'admin status',
  'admin stop': 'admin stop --yes',
  apply: 'apply FILE --yes',
  audit: 'audit',
  backfill: `backfill a ${RANGE} --yes`,
  'backfills cancel': 'backfills cancel a e',
  'backfills list': 'backfills list',
  'backfills pause': 'backfills pause a e',
  'backfills resume': 'backfills resume a e',
  'backfills retry': 'backfills retry a e',
  'backfills show': 'backfills show a e',
  'calendars delete': 'calendars delete c --yes',
  'calendars import': 'calendars import HOLIDAYS --id c',
  'calendars list': 'calendars list',
  'calendars set': 'calendars set c CALENDAR',
  'calendars show': 'calendars show c',
  'concurrency-keys list': 'concurrency-keys list',
  'concurrency-keys delete': 'concurrency-keys delete k --yes',
  'concurrency-keys set': 'concurrency-keys set k --limit 1',
  'concurrency-keys show': 'concurrency-keys show k',
  deploy: 'deploy MANIFEST --queue q --yes',
  'events send': 'events send order.paid',
  'executions cancel': 'executions cancel a e',
  'executions list': 'executions list a',
  'executions log': 'executions log a e',
  'executions pause': 'executions pause a e',
  'executions resume': 'executions resume a e',
  'executions retry': 'executions retry a e',
  'executions show': 'executions show a e',
  'executions tail': 'executions tail a',
  'export eventbridge': 'export eventbridge --role-arn arn:aws:iam::111122223333:role/scheduler',
  'export json': 'export json',
  failures: 'failures',
  'failures ack': 'failures ack f',
  'failures acks': 'failures acks',
  'failures groups': 'failures groups',
  'failures retry': 'failures retry',
  'failures unack': 'failures unack f',
  'jobs cancel': 'jobs cancel a --key k',
  'jobs changes': 'jobs changes a',
  'jobs create': `jobs create a ${EDIT} --http https://example.com`,
  'jobs delete': 'jobs delete a --yes',
  'jobs edit': `jobs edit a ${EDIT}`,
  'jobs get': 'jobs get a',
  'jobs list': 'jobs list',
  'jobs ping': 'jobs ping a',
  'jobs rotate-ping': 'jobs rotate-ping a',
  'jobs patch': `jobs patch '{"priority":"high"}' --prefix a`,
  'jobs pause': 'jobs pause a',
  'jobs restore': 'jobs restore a 1',
  'jobs resume': 'jobs resume a',
  'jobs run': 'jobs run a',
  'jobs stats': 'jobs stats a',
  'keys create': 'keys create ci --role editor',
  'keys list': 'keys list',
  'keys delete': 'keys delete abc --yes',
  load: 'load',
  login: 'login --url https://api.test',
  'notifications get': 'notifications get n',
  'notifications list': 'notifications list',
  'notifications delete': 'notifications delete n --yes',
  'notifications set': 'notifications set n --on failed --email a@example.com',
  'notifications test': 'notifications test n',
  'ordering-keys show': 'ordering-keys show k',
  'ordering-keys unblock': 'ordering-keys unblock k',
  'ping-key show': 'ping-key show',
  'ping-key set': 'ping-key set',
  'ping-key rotate': 'ping-key rotate',
  'ping-key delete': 'ping-key delete --yes',
  plan: 'plan FILE',
  preview: "preview 'every 5m'",
  projects: 'projects',
  queues: 'queues',
  'secrets list': 'secrets list',
  'secrets delete': 'secrets delete s --yes',
  'secrets set': 'secrets set s --host example.com',
  'signing-secret end-legacy': 'signing-secret end-legacy --yes',
  'signing-secret rotate': 'signing-secret rotate',
  'signing-secret show': 'signing-secret show',
  'tasks approve': 'tasks approve a e t',
  'tasks cancel': 'tasks cancel a e t',
  'tasks items': 'tasks items a e t',
  'tasks list': 'tasks list a e',
  'tasks reject': 'tasks reject a e t',
  'tasks show': 'tasks show a e t',
  'tasks skip': 'tasks skip a e t',
  types: 'types',
  upcoming: 'upcoming',
  usage: 'usage',
  version: 'version',
  waiting: 'waiting',
  whoami: 'whoami',
  why: `why a ${AT}`,
  mcp: 'mcp',
  open: 'open a latest',
  'workflow check': 'workflow check WORKFLOW',
  'workflow graph': 'workflow graph a',
  'workflow show': 'workflow show a',
  'workflow versions': 'workflow versions a',
};

/** What follows from one response: a bulk, and the second shape of a list. */
const MORE = [
  'jobs pause --prefix a',
  'jobs list --json',
  'jobs list --tag a:b',
  'executions tail',
  'executions list',
  'queues warehouse',
  'queues --workers',
  'backfills list a',
  'login --url https://api.test --token-stdin',
];

/** These ask no API, go on after a foreign response, or print any. */
const OTHERS = [
  'api',
  'completion',
  'dev',
  'token',
  'cost',
  'define',
  'doctor',
  'import crontab',
  'import eventbridge',
  'import kubernetes',
  'import step-functions',
  'logout',
  'ping',
  'profiles',
  'projects use',
  'work',
];

function withFiles(args: string): string {
  const files = {
    FILE: 'jobs:\n  a:\n    schedule: rate(5 minutes)\n    target: { type: http, url: https://example.com }\n',
    WORKFLOW: `jobs:\n  a: { schedule: none, workflow: { tasks: { t: { target: { type: http, url: https://example.com } } } } }\n`,
    CALENDAR: 'dates: [2026-12-25]\n',
    MANIFEST:
      '{"format":"quarterjack.jobs/1","source":"s","jobs":[{"jobId":"a","definition":{"schedule":"every 5m"}}]}',
    HOLIDAYS:
      'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART;VALUE=DATE:20261225\r\nSUMMARY:x\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n',
  };
  return args.replace(/\b(?:FILE|WORKFLOW|CALENDAR|HOLIDAYS|MANIFEST)\b/, (name) => {
    const path = join(session.home, name === 'MANIFEST' ? 'jobs.json' : `${name}.yaml`);
    writeFileSync(path, files[name as keyof typeof files]);
    return path;
  });
}

test('each command has a command line here, or asks no API', () => {
  const tree = treeOf(makeProgram(processIo(), () => undefined));
  const leaves = tree.filter(({ path, commands }) => path !== '' && commands.length === 0);
  const withDefault = ['failures', 'projects'];
  expect([...leaves.map(({ path }) => path), ...withDefault].toSorted()).toEqual(
    [...Object.keys(COMMANDS), ...OTHERS].toSorted(),
  );
});

test.each([...Object.values(COMMANDS), ...MORE])(
  '%s says in one line that a response is not of a Quarterjack API',
  async (args) => {
    const wrong: object[] = [];
    for (const body of BODIES) {
      session.instead.length = 0;
      for (let request = 0; request < 50; request++)
        session.instead.push(new Response(body, { headers: { 'content-type': 'application/json' } }));
      const { exitCode, stdout, stderr } = await session.run(withFiles(args), { stdin: 'alice' });
      // A command on several jobs says it on stdout, beside each job.
      const said = stdout + stderr;
      const isClear =
        exitCode === 7 &&
        !/\n {4}at /.test(said) &&
        /the response from https:\/\/api\.test\/v1\/\S+ \(200\) .*is this the URL of a Quarterjack API\?/.test(
          said,
        );
      if (!isClear) wrong.push({ body, exitCode, said });
    }
    expect(wrong).toEqual([]);
  },
);
