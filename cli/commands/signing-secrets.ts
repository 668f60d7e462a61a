import type { Command } from 'commander';

import type { SigningSecret } from '../../client';
import type { Context } from '../context';
import { ExitCode } from '../exit-codes';
import type { Run } from '../run';
import { fields, plain } from '../terminal/table';
import { instantText } from '../terminal/times';
import { addYes, confirmed, placeName } from './ask';

const HOST: [flag: string, description: string] = [
  '--host <host>',
  'host of the target, with its port unless it is 443; without it, the legacy secret of the project',
];

export function addSigningSecretCommands(program: Command, run: Run): void {
  const secrets = program
    .command('signing-secret')
    .description('Show and rotate the secrets that sign deliveries.');

  secrets
    .command('show')
    .description('Show the secret that signs the deliveries to a host.')
    .option(...HOST)
    .addHelpText('after', '\nExamples:\n  quarterjack signing-secret show --host hooks.example.com')
    .action(
      run(async (context: Context, { host }: { host?: string }) => {
        const secret = await context.client().signingSecret({ host });
        context.print(secret, () => secretText(secret));
      }),
    );

  secrets
    .command('rotate')
    .description('Make a new secret. The previous one signs along for a day.')
    .option(...HOST)
    .addHelpText('after', '\nExamples:\n  quarterjack signing-secret rotate --host hooks.example.com')
    .action(
      run(async (context: Context, { host }: { host?: string }) => {
        const secret = await context.client().rotateSigningSecret({ host });
        context.print(secret, () => secretText(secret));
      }),
    );

  addYes(secrets.command('end-legacy'))
    .description('End the legacy secret of the project: only the secrets of hosts sign. This is final.')
    .addHelpText('after', '\nExamples:\n  quarterjack signing-secret end-legacy --yes')
    .action(
      run(async (context: Context, { yes }: { yes?: true }) => {
        const what = `the legacy secret of ${placeName(context)}`;
        if (!(await confirmed(context, `End ${what}? It cannot sign again.`, yes))) return ExitCode.failed;
        await context.client().endLegacySigning();
        context.print(
          { legacy: false },
          () => 'The legacy secret has ended. Within five minutes, it signs nothing.\n',
        );
        return ExitCode.ok;
      }),
    );
}

const secretText = ({ host, secret, version, signingAlong }: SigningSecret): string =>
  fields([
    ['host', host === null ? 'all (legacy)' : plain(host)],
    ['secret', plain(secret)],
    ['version', String(version)],
    ...signingAlong.map((earlier): [string, string] => [
      'signing along',
      `version ${earlier.version} until ${instantText(earlier.until)}`,
    ]),
  ]);
