import type { Command } from 'commander';

import type { Me } from '../../client';
import type { Context } from '../context';
import { CliError, ExitCode } from '../exit-codes';
import type { Run } from '../run';
import { fields, plain } from '../terminal/table';

/** Commands about the caller: who it is, which projects it has, and how much of the quotas is used. */
export function addIdentityCommands(program: Command, run: Run): void {
  program
    .command('whoami')
    .description('Show who you are to the API, and what you may do.')
    .addHelpText('after', '\nExamples:\n  quarterjack whoami\n  quarterjack whoami --json | jq .scopes')
    .action(
      run(async (context: Context) => {
        const me = await context.client().me();
        context.print(me, () => fields(linesOf(me)));
      }),
    );

  const projects = program
    .command('projects')
    .description('List your projects.')
    .addHelpText('after', '\nExamples:\n  quarterjack projects\n  quarterjack projects use billing')
    .action(run(listProjects));
  projects
    .command('use <name>')
    .description('Save a project in the profile: later commands work in it.')
    .addHelpText('after', '\nExamples:\n  quarterjack projects use billing')
    .action(run((context: Context, _: object, name: string) => useProject(context, name)));

  program
    .command('usage')
    .description('Show how much of its quotas the project uses. Jobs that have ended count nothing.')
    .addHelpText('after', '\nExamples:\n  quarterjack usage')
    .action(
      run(async (context: Context) => {
        const usage = await context.client().usage();
        const rows = Object.entries(usage).map(([quota, { used, allowed, approximate }]) => [
          quota,
          approximate ? `about ${used}` : String(used),
          String(allowed),
        ]);
        context.print(usage, () => context.table(['QUOTA', 'USED', 'ALLOWED'], rows));
      }),
    );
}

const linesOf = ({ by, project, role, scopes, stage, version, region }: Me): [string, string][] => [
  ['name', plain(by.name ?? by.sub)],
  ['subject', plain(by.sub)],
  ['via', plain(by.via)],
  ['project', project === null ? 'none: name one with --project' : plain(project)],
  ['role', role ?? 'none'],
  ['scopes', scopes.join(' ')],
  ['deployment', `stage ${stage} in ${region}, version ${version}`],
];

async function listProjects(context: Context): Promise<void> {
  const { project: current, projects } = await context.client().me();
  context.print(projects, () =>
    context.table(
      ['PROJECT', 'ROLE'],
      projects.map(({ name, role }) => [name === current ? `${plain(name)} *` : plain(name), role]),
    ),
  );
}

async function useProject(context: Context, project: string): Promise<void> {
  const { profiles, globals, io } = context;
  const name = profiles.nameOf(globals.profile ?? (io.env.QUARTERJACK_PROFILE || undefined));
  const profile = profiles.get(name);
  if (!profile) throw new CliError(`there is no profile ${name}; run quarterjack login`);
  const { projects } = await context.client().me();
  if (!projects.some((one) => one.name === project))
    throw new CliError(
      `the token has no project ${JSON.stringify(project)}; it has ${projects.map((one) => one.name).join(', ')}`,
      ExitCode.notFound,
    );
  profiles.put(name, { ...profiles.get(name), ...profile, project }, { makeCurrent: false });
  context.print({ profile: name, project }, () => `Profile ${name} works in project ${plain(project)}.\n`);
}
