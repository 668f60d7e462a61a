import type { Command } from 'commander';

import type { Notification, NotificationDefinition } from '../../client';
import type { Context } from '../context';
import { CliError, ExitCode } from '../exit-codes';
import { tagOf } from '../flag-values';
import { readDefinition } from '../read-definition';
import type { Run } from '../run';
import { singleLine } from '../terminal/printable';
import { fields, plain, texts } from '../terminal/table';
import { instantText } from '../terminal/times';
import { addDelete } from './delete';

interface SetFlags {
  file?: string;
  on?: string[];
  tag?: string;
  lateAfter?: string;
  http?: string;
  email?: string;
  pagerduty?: string;
  region?: string;
  incidentIo?: string;
  sourceId?: string;
  severity?: string[];
  minInterval?: string;
  format?: string;
}

export function addNotificationCommands(program: Command, run: Run): void {
  const notifications = program
    .command('notifications')
    .description('Tell people and programs of problems. The token needs the scope project:admin.');
  addSet(notifications, run);
  addReads(notifications, run);
  addTestAndRemove(notifications, run);
}

function addSet(notifications: Command, run: Run): void {
  notifications
    .command('set <id>')
    .description('Create a notification or replace it, from flags or from a file.')
    .option('--file <path>', 'the whole definition as JSON or YAML, "-" for stdin; excludes the other flags')
    .option(
      '--on <kind...>',
      'failed, skipped, late, slow, quick, recovered, succeeded, waiting-approval, calendar-ends',
    )
    .option('--tag <key:value>', 'only jobs with this tag')
    .option('--late-after <duration>', 'with late: how long after its due time an execution is late')
    .option('--http <url>', 'POST each message to this URL')
    .option('--email <address>', 'mail each message, once its owner has confirmed the subscription')
    .option('--pagerduty <secret>', 'open and resolve incidents of PagerDuty, with this routing key')
    .option('--region <us|eu>', 'with --pagerduty: the service region of the account')
    .option('--incident-io <secret>', 'open and resolve incidents of incident.io, with this token')
    .option('--source-id <id>', 'with --incident-io: the alert source that gets them')
    .option('--severity <kind=severity...>', 'of incidents: such as failed=critical')
    .option('--min-interval <duration>', 'least time between two messages about one job (default 10m)')
    .option('--format <format>', 'json, slack, teams or cloudevents')
    .addHelpText(
      'after',
      `
A URL that is a secret, such as that of a Slack webhook, is given as {{ secrets.NAME }}.

Examples:
  quarterjack notifications set ops --on failed recovered --http '{{ secrets.slack }}' --format slack
  quarterjack notifications set pages --on failed --pagerduty '{{ secrets.pagerduty }}' --severity failed=critical
  quarterjack notifications set late --on late --late-after 5m --tag team:billing --email ops@example.com`,
    )
    .action(
      run(async (context: Context, flags: SetFlags, id: string) => {
        const set = await context.client().notifications.set(id, await definitionOf(flags, context));
        context.print(set, () => notificationText(set));
      }),
    );
}

function addReads(notifications: Command, run: Run): void {
  notifications
    .command('list')
    .description('List the notifications.')
    .addHelpText('after', '\nExamples:\n  quarterjack notifications list')
    .action(
      run(async (context: Context) => {
        const all = await context.client().notifications.list({ limit: 100 }).toArray();
        context.print(all, () => listText(all, context));
      }),
    );

  notifications
    .command('get <id>')
    .description('Show a notification.')
    .addHelpText('after', '\nExamples:\n  quarterjack notifications get ops')
    .action(
      run(async (context: Context, _flags: object, id: string) => {
        const one = await context.client().notifications.get(id);
        context.print(one, () => notificationText(one));
      }),
    );
}

function addTestAndRemove(notifications: Command, run: Run): void {
  notifications
    .command('test <id>')
    .description('Send a test message. Follow it with executions get.')
    .addHelpText('after', '\nExamples:\n  quarterjack notifications test ops')
    .action(
      run(async (context: Context, _flags: object, id: string) => {
        const sent = await context.client().notifications.test(id);
        context.print(sent, () => `sent as ${plain(sent.jobId)} ${plain(sent.execId)}\n`);
      }),
    );

  addDelete(notifications, run, {
    argument: 'id',
    what: 'notification',
    example: 'ops',
    description: 'Delete a notification.',
    remove: (client, id) => client.notifications.remove(id),
  });
}

/** The API checks the values: a flag is only put into its field. */
async function definitionOf({ file, ...flags }: SetFlags, context: Context): Promise<NotificationDefinition> {
  const given = Object.keys(flags).length > 0;
  if (file !== undefined) {
    if (given) throw new CliError('give either --file or the other flags', ExitCode.usage);
    return (await readDefinition(file, context.io)) as NotificationDefinition;
  }
  const { on, tag, lateAfter, minInterval, format, severity } = flags;
  const definition = {
    on: on ?? ['failed', 'recovered'],
    ...(tag !== undefined && { filter: { tag } }),
    ...(lateAfter !== undefined && { lateAfter }),
    target: targetOf(flags),
    ...(minInterval !== undefined && { minInterval }),
    ...(format !== undefined && { format }),
    ...(severity && { severity: Object.fromEntries(severity.map((text) => tagOf(text, '--severity'))) }),
  };
  return definition as NotificationDefinition;
}

function targetOf({ http, email, pagerduty, region, incidentIo, sourceId }: SetFlags): object {
  const targets = [
    ...(http === undefined ? [] : [{ type: 'http', url: http }]),
    ...(email === undefined ? [] : [{ type: 'email', to: email }]),
    ...(pagerduty === undefined ? [] : [{ type: 'pagerduty', routingKey: pagerduty, region }]),
    ...(incidentIo === undefined ? [] : [{ type: 'incident-io', sourceId, token: incidentIo }]),
  ];
  const [target, ...others] = targets;
  if (!target || others.length > 0)
    throw new CliError('give one of --http, --email, --pagerduty, --incident-io and --file', ExitCode.usage);
  if (region !== undefined && pagerduty === undefined)
    throw new CliError('--region is for --pagerduty', ExitCode.usage);
  if ((sourceId === undefined) !== (incidentIo === undefined))
    throw new CliError('give --incident-io and --source-id together', ExitCode.usage);
  return target;
}

/** The union of target types comes as JSON, whose fields differ by type. */
function targetText(target: Notification['target']): string {
  const { type, ...rest } = target as { type: string } & Record<string, unknown>;
  const address = rest.to ?? rest.url ?? Object.values(rest)[0];
  return `${type} ${typeof address === 'string' ? address : JSON.stringify(address)}`;
}

function notificationText(one: Notification): string {
  return fields([
    ['notification', plain(one.id)],
    ['on', one.on.join(', ')],
    ['tag', one.filter && plain(one.filter.tag)],
    ['late after', one.lateAfter],
    ['target', plain(targetText(one.target))],
    ['confirmed', one.confirmed === undefined ? undefined : one.confirmed ? 'yes' : 'no, not yet'],
    ['min interval', one.minInterval],
    ['format', one.format],
    ['severity', severitiesOf(one.severity)],
    ['messages', plain(one.jobId)],
    ['changed', `${instantText(one.updatedAt)}Z by ${plain(one.by.name ?? one.by.sub)}`],
  ]);
}

const severitiesOf = (severity: Notification['severity']): string | undefined =>
  severity &&
  Object.entries(severity)
    .map(([kind, of]) => `${kind} ${of}`)
    .join(', ');

function listText(all: readonly Notification[], { table }: Pick<Context, 'table'>): string {
  if (all.length === 0) return 'no notifications\n';
  const rows = all.map((one) => [
    singleLine(one.id),
    one.on.join(' '),
    one.filter ? singleLine(one.filter.tag) : '',
    singleLine(targetText(one.target)),
    instantText(one.updatedAt),
  ]);
  return table(['ID', texts('ON'), 'TAG', texts('TARGET'), { head: 'CHANGED (UTC)', spare: 1 }], rows);
}
