import type { Command } from 'commander';

import { Quarterjack } from '../../client';
import { CliError } from '../exit-codes';
import { readStdin } from '../io';
import { type Context, projectOf } from '../context';
import { DEFAULT_PROFILE, type Profile } from '../profiles';
import type { Run } from '../run';
import { signInWithBrowser } from '../sign-in/sign-in-with-browser';
import { expiresAtMs, tokenOf } from '../tokens';
import { instantText } from '../terminal/times';
import { isLoopback, originOf } from '../url';

interface LoginFlags {
  browser: boolean;
  tokenStdin?: boolean;
  tokenCommand?: string;
}

export function addLoginCommands(program: Command, run: Run): void {
  program
    .command('login')
    .description('Save the URL of an API, and how to sign in to it, as a profile.')
    .option('--no-browser', 'print the URL of the sign-in page instead of opening a browser')
    .option('--token-stdin', 'read a token from stdin')
    .option(
      '--token-command <command>',
      'a shell command that prints a token; it runs again when the last token is about to expire',
    )
    .addHelpText(
      'after',
      `
The profile is stored in $XDG_CONFIG_HOME/quarterjack/config.json (default: ~/.config), readable only by you.
Without --profile, its name is "default"; a profile of another URL is never replaced. Commands use the profile of the
last login, unless --profile names another. With --project, the profile keeps the project.
A token command runs in the directory of this login, wherever later commands run.
The sign-in opens a browser, which returns to port 8788, 8789 or 8790 of this machine. On a machine without a
browser, --no-browser prints the URL: open it elsewhere, and paste the URL at which that browser ends.
In scripts, set QUARTERJACK_URL, QUARTERJACK_TOKEN and, for a token of several projects, QUARTERJACK_PROJECT instead.
A token is a JWT or an API key (qj_…).

Examples:
  quarterjack login --url https://jobs.example.com
  quarterjack login --url http://127.0.0.1:8787 --token-command 'quarterjack token --user alice'
  quarterjack login --profile operator --url http://127.0.0.1:8787 \\
    --token-command 'quarterjack token --user alice --scope admin'
  pass show quarterjack/prod | quarterjack login --profile prod --url https://jobs.example.com --token-stdin`,
    )
    .action(run(login));

  program
    .command('logout')
    .description('Remove a profile.')
    .addHelpText('after', '\nExamples:\n  quarterjack logout --profile prod')
    .action(
      run((context: Context) => {
        const name = context.profiles.nameOf(context.globals.profile);
        context.say(
          context.profiles.remove(name) ? `Removed profile ${name}.` : `There is no profile ${name}.`,
        );
      }),
    );

  program
    .command('profiles')
    .description('List the profiles.')
    .addHelpText('after', '\nExamples:\n  quarterjack profiles --json')
    .action(run(listProfiles));
}

async function login(context: Context, flags: LoginFlags): Promise<void> {
  const { globals, profiles, io } = context;
  if (flags.tokenStdin === true && flags.tokenCommand !== undefined)
    throw new CliError('give only one of --token-stdin and --token-command');
  const name = profiles.nameOf(globals.profile ?? (io.env.QUARTERJACK_PROFILE || DEFAULT_PROFILE));
  const known = profiles.get(name);
  const url = globals.url ?? (globals.profile === undefined ? undefined : known?.url);
  if (!url) throw new CliError('--url is missing: give the URL of the API');
  if (known && globals.profile === undefined && originOf(known.url) !== originOf(url))
    throw new CliError(`profile ${name} is for ${known.url}; name the one for ${url} with --profile NAME`);
  if (isUnprotected(url))
    context.say(`Warning: ${url} is not https, so anyone on the way there can read the token and use it.`);
  const project = projectOf(globals, io);

  const { token, profile } = await profileOf(url, flags, context);
  // Tries the token now, so that the first real command does not fail.
  await new Quarterjack({ url, token, project, ...io.connection }).me();
  profiles.put(name, { ...profile, ...(project !== undefined && { project }) });
  context.print({ profile: name, url }, () => `Signed in to ${url} as profile ${name}.\n`);
}

async function profileOf(
  url: string,
  { tokenStdin, tokenCommand, browser }: LoginFlags,
  context: Context,
): Promise<{ token: string; profile: Profile }> {
  const { io } = context;
  if (tokenStdin) {
    const token = (await readStdin(io)).trim();
    if (token === '') throw new CliError('there is no token on stdin');
    return { token, profile: { url, token } };
  }
  if (tokenCommand !== undefined) {
    const profile = { url, tokenCommand, tokenCommandDir: io.cwd() };
    const token = (await tokenOf(profile, io, () => undefined)) as string;
    return { token, profile: { ...profile, token } };
  }
  const tokens = await signInWithBrowser(url, { browser }, context);
  return { token: tokens.token, profile: { url, ...tokens } };
}

/** Whether a token for this URL leaves the machine without encryption. */
function isUnprotected(url: string): boolean {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  return parsed?.protocol === 'http:' && !isLoopback(parsed);
}

function listProfiles(context: Context): void {
  const { profiles } = context;
  const current = profiles.nameOf(undefined);
  const rows = profiles.names().map((name) => {
    const { url, token, tokenCommand, renewal, project = null } = profiles.get(name) as Profile;
    const expiresMs = token ? expiresAtMs(token) : Infinity;
    const expires = expiresMs === Infinity ? null : new Date(expiresMs).toISOString();
    return {
      name,
      current: name === current,
      url,
      expires,
      renews: (tokenCommand ?? renewal) !== undefined,
      project,
    };
  });
  context.print(rows, () =>
    context.table(
      ['PROFILE', 'URL', { head: 'PROJECT', spare: 1 }, { head: 'TOKEN', spare: 2 }],
      rows.map(({ name, url, expires, renews, project, ...row }) => [
        row.current ? `${name} *` : name,
        url,
        project ?? '',
        renews ? 'renewed automatically' : expires ? `until ${instantText(expires)}` : 'never expires',
      ]),
    ),
  );
}
