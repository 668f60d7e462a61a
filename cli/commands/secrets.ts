import type { Command } from 'commander';

import type { Secret } from '../../client';
import type { Context } from '../context';
import { CliError } from '../exit-codes';
import { readStdin } from '../io';
import type { Run } from '../run';
import { singleLine } from '../terminal/printable';
import { plain, texts } from '../terminal/table';
import { instantText } from '../terminal/times';
import { askHidden } from './ask';
import { addDelete } from './delete';

interface SetFlags {
  host: string[];
  pem?: boolean;
}

export function addSecretCommands(program: Command, run: Run): void {
  const secrets = program
    .command('secrets')
    .description('Set, list and remove the secrets of a project. The token needs the scope project:admin.');

  secrets
    .command('set <name>')
    .description('Create a secret or replace it. The value comes from stdin, or from a hidden prompt.')
    .requiredOption('--host <host...>', 'a host that the secret may go to: example.com or *.example.com')
    .option('--pem', 'it is certificates, or a private key, in PEM: for tls of a target')
    .addHelpText(
      'after',
      `
One line break at the end of stdin is not part of the value. No command shows a value again.
Jobs name the secret as {{ secrets.NAME }}. Deliveries use a new value within a minute.

Examples:
  quarterjack secrets set crm --host api.crm.example
  pass show crm | quarterjack secrets set crm --host api.crm.example --host login.crm.example
  quarterjack secrets set bank_key --pem --host api.bank.example < client.key`,
    )
    .action(
      run(async (context: Context, { host, pem = false }: SetFlags, name: string) => {
        const value = await valueFor(name, context, pem);
        const kind = pem ? 'pem' : 'text';
        const secret = await context.client().secrets.set(name, { value, hosts: host, kind });
        context.print(
          secret,
          () => `${plain(secret.name)} is set for ${secret.hosts.map((text) => plain(text)).join(', ')}\n`,
        );
      }),
    );

  secrets
    .command('list')
    .description('List the secrets: names, hosts, and the jobs that use them.')
    .addHelpText('after', '\nExamples:\n  quarterjack secrets list')
    .action(
      run(async (context: Context) => {
        const all = await context.client().secrets.list({ limit: 100 }).toArray();
        context.print(all, () => secretsText(all, context));
      }),
    );

  addDelete(secrets, run, {
    argument: 'name',
    what: 'secret',
    example: 'crm',
    description: 'Delete a secret that no job uses.',
    force: 'delete it even if jobs use it: their deliveries then fail',
    remove: (client, name, options) => client.secrets.remove(name, options),
  });
}

/** The value never comes from the command line, which other users of the machine can see. */
async function valueFor(name: string, { io }: Context, isPem: boolean): Promise<string> {
  const isTyped = io.stdin.isTTY === true;
  if (isTyped && isPem) throw new CliError('a value with --pem has several lines: give it on stdin');
  const value = isTyped
    ? await askHidden(io, `value of ${plain(name)} (not shown)`)
    : (await readStdin(io)).replace(/\r?\n$/, '');
  if (value === '') throw new CliError('no value: type one, or give it on stdin');
  return value;
}

function secretsText(secrets: readonly Secret[], { table }: Pick<Context, 'table'>): string {
  if (secrets.length === 0) return 'no secrets\n';
  const rows = secrets.map(({ name, kind, validUntil, hosts, updatedAt, by, users, hasMoreUsers }) => [
    singleLine(name),
    kind === 'pem' && validUntil !== null ? `pem until ${validUntil.slice(0, 10)}` : singleLine(kind),
    hosts.map((text) => singleLine(text)).join(' '),
    instantText(updatedAt),
    singleLine(by.name ?? by.sub),
    users.map((text) => singleLine(text)).join(' ') + (hasMoreUsers ? ' …' : ''),
  ]);
  return table(
    [
      'NAME',
      'KIND',
      texts('HOSTS'),
      { head: 'CHANGED (UTC)', spare: 2 },
      { ...texts('BY'), spare: 1 },
      texts('USED BY'),
    ],
    rows,
  );
}
