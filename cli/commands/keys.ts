import { type Command, Option } from 'commander';

import type { ApiKey, ApiKeyDefinition, NewApiKey } from '../../client';
import type { Context } from '../context';
import { CliError, ExitCode } from '../exit-codes';
import { addNote, collect } from '../flag-values';
import type { Run } from '../run';
import { singleLine } from '../terminal/printable';
import { fields, plain, texts } from '../terminal/table';
import { instantIn } from '../time-flags';
import { bothTimes, timeText, parseDurationMs, zoneOfUser } from '../terminal/times';
import { actorText } from './actor-text';
import { addYes, confirmed, namesText } from './ask';

type Role = ApiKeyDefinition['role'];
type Scope = NonNullable<ApiKeyDefinition['scopes']>[number];

interface CreateFlags {
  role: Role;
  scope?: Scope[];
  queue?: string[];
  expires?: string;
}

interface RevokeFlags {
  by?: string;
  yes?: boolean;
}

const ROLES = ['viewer', 'approver', 'worker', 'operator', 'editor'] as const satisfies readonly Role[];

export function addKeyCommands(program: Command, run: Run): void {
  const keys = program
    .command('keys')
    .description('Manage the API keys of the project. The token needs the scope project:admin.');
  addCreate(keys, run);
  addList(keys, run);
  addRevoke(keys, run);
}

function addCreate(keys: Command, run: Run): void {
  addNote(keys.command('create <name>'))
    .description('Create an API key. It is shown once.')
    .addOption(new Option('--role <role>', 'the role of the key').choices(ROLES).makeOptionMandatory())
    .option('--scope <scope>', 'only this scope of the role; repeatable', collect)
    .option('--queue <name>', 'only this work queue, * for any text; repeatable', collect)
    .option('--expires <time>', 'a duration such as 90d, or a time (default: a year)')
    .addHelpText(
      'after',
      `
Examples:
  quarterjack keys create ci --role editor --expires 90d
  quarterjack keys create ci --role editor --json | jq -r .key
  quarterjack keys create etl-host --role worker --queue 'etl-*'`,
    )
    .action(
      run(async (context: Context, { role, scope, queue, expires }: CreateFlags, name: string) => {
        const definition = {
          name,
          role,
          ...(scope && { scopes: scope }),
          ...(queue && { queues: queue }),
          ...(expires !== undefined && { expiresAt: expiryOf(expires, context) }),
        };
        const created = await context.client().apiKeys.create(definition);
        context.print(created, () => createdText(created, zoneOfUser(context.io.env)));
        context.say('The key is shown only this once: keep it now.');
      }),
    );
}

/** A duration counts from now. */
const expiryOf = (text: string, context: Context): string =>
  instantIn('--expires', parseDurationMs(text) === undefined ? text : `in ${text}`, context.typedAt());

function addList(keys: Command, run: Run): void {
  keys
    .command('list')
    .description('List the API keys of the project, without their secrets.')
    .addHelpText('after', '\nExamples:\n  quarterjack keys list')
    .action(
      run(async (context: Context) => {
        const found = await context.client().apiKeys.list().toArray();
        context.print(found, () => (found.length === 0 ? 'No API keys.\n' : keyTable(found, context)));
      }),
    );
}

function addRevoke(keys: Command, run: Run): void {
  addYes(addNote(keys.command('delete [keyIds...]')))
    .alias('revoke')
    .description('Delete API keys: requests with them are refused within a minute.')
    .option('--by <sub>', 'all keys that the actor with this subject created')
    .addHelpText(
      'after',
      '\nExamples:\n  quarterjack keys delete 3k9x0c2m7q4t8v1b\n  quarterjack keys delete --by alice',
    )
    .action(run(revokeKeys));
}

async function revokeKeys(
  context: Context,
  { by, yes }: RevokeFlags,
  keyIds: string[],
): Promise<ExitCode | void> {
  if (keyIds.length > 0 === (by !== undefined)) throw new CliError('give either key ids or --by');
  const what = by === undefined ? namesText('API key', keyIds) : `all API keys that ${plain(by)} created`;
  if (!(await confirmed(context, `Revoke ${what}?`, yes))) return ExitCode.failed;
  const { apiKeys } = context.client();
  if (by === undefined) for (const keyId of keyIds) await apiKeys.revoke(keyId);
  const revoked = by === undefined ? keyIds : await apiKeys.revokeAllBy(by);
  context.print({ revoked }, () => `${revoked.map((keyId) => `Revoked ${plain(keyId)}.\n`).join('')}`);
  if (revoked.length === 0) context.say('There were no such keys.');
}

const createdText = (created: NewApiKey, zone: string): string =>
  fields([
    ['key', created.key],
    ['id', created.keyId],
    ['name', plain(created.name)],
    ['role', created.role],
    ['scopes', created.scopes.join(' ')],
    ['queues', created.queues?.map((queue) => plain(queue)).join(' ')],
    ['expires', bothTimes(created.expiresAt, zone)],
  ]);

const keyTable = (keys: readonly ApiKey[], { table, io }: Pick<Context, 'table' | 'io'>): string =>
  table(
    [
      'KEY',
      texts('NAME'),
      'ROLE',
      texts('SCOPES'),
      { head: 'EXPIRES', spare: 1 },
      { head: 'LAST USED', spare: 2 },
      { ...texts('BY'), spare: 3 },
    ],
    keys.map((key) => [
      key.keyId,
      singleLine(key.name),
      key.role,
      key.scopes.join(' '),
      timeText(key.expiresAt, zoneOfUser(io.env)),
      key.lastUsedOn ?? 'never',
      actorText(key.by),
    ]),
  );
