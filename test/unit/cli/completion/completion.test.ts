import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import { EXECUTION_STATUSES as ALL } from '../../../../lambdas/core/contracts/execution-statuses';
import { FORMATS } from '../../../../cli/terminal/formats';
import { Session } from '../terminal-session';

let session: Session;
beforeEach(() => (session = new Session()));
afterEach(() => session.end());

const EXECUTION_STATUSES = [...ALL];
const JOB_STATUSES = ['active', 'paused', 'completed'];
const FILES = ['jobs.yaml', 'my file'];

/** A folder with these files, and nothing else. */
function folderOfFiles(): string {
  const folder = join(session.home, 'files');
  mkdirSync(folder, { recursive: true });
  for (const name of FILES) writeFileSync(join(folder, name), '');
  return folder;
}

const IDS = ['re-1', 're-2'];
/** Lines of which the first argument is an id, and what the command line has to be asked. */
const WITH_IDS: string[][] = [
  ['jobs', 'get', ''],
  ['jobs', 'pause', '--yes', 're'],
  ['--profile', 'prod', 'executions', 'show', 'report', 're'],
  ['workflow', 'graph', 're'],
  ['calendars', 'show', ''],
];

/** The environment of a shell in which `quarterjack` prints these lines, and keeps what it was asked. */
function environment(printed: readonly string[]): NodeJS.ProcessEnv {
  const folder = join(session.home, 'bin');
  mkdirSync(folder, { recursive: true });
  const print = printed.map((line) => `echo ${line}`);
  const text = ['#!/bin/sh', 'printf "%s\\n" "$@" > "$HOME/asked"', ...print, 'echo oops >&2'].join('\n');
  writeFileSync(join(folder, 'quarterjack'), `${text}\n`, { mode: 0o755 });
  return { ...process.env, HOME: session.home, PATH: `${folder}${delimiter}${process.env.PATH}` };
}

/** The arguments of `quarterjack`; undefined if it did not run. */
const asked = (): string[] | undefined => {
  const path = join(session.home, 'asked');
  return existsSync(path) ? readFileSync(path, 'utf8').slice(0, -1).split('\n') : undefined;
};

const script = async (shell: string) => {
  const { stdout } = await session.run(`completion ${shell}`);
  const file = join(session.home, shell);
  writeFileSync(file, stdout);
  return { file, stdout };
};

describe('bash', () => {
  /** The completions of the last word. */
  const completionsOf = (file: string, words: string[], printed = IDS): string[] => {
    const program = `source ${file}; COMP_WORDS=(quarterjack "$@"); COMP_CWORD=$#; _quarterjack; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const options = { encoding: 'utf8', cwd: folderOfFiles(), env: environment(printed) } as const;
    return execFileSync('bash', ['-c', program, 'bash', ...words], options)
      .replace(/\n$/, '')
      .split('\n');
  };

  test.each<[string[], string[]]>([
    [['j'], ['jobs']],
    [['jobs', 'pau'], ['pause']],
    [['--profile', 'prod', 'jobs', 'de'], ['delete']],
    [['jobs', 'list', '--st'], ['--status']],
    [
      ['jobs', 'create', 'x', '--priority', 'lo'],
      ['low', 'lowest'],
    ],
    [['jobs', 'create', 'x', '--prof'], ['--profile']],
    [['import', 'eventbridge', '--na'], ['--name-prefix']],
    [['jobs', 'list', '--status', ''], JOB_STATUSES],
    [['jobs', 'list', '--status', '=', 'ac'], ['active']],
    [['jobs', 'list', '-o', ''], [...FORMATS]],
    [['-o', 'j'], ['json']],
    [['-o', 'json', '-p', 'billing', 'jobs', 'pau'], ['pause']],
    [['jobs', 'list', '-p', ''], ['']],
    [
      ['executions', 'list', 'x', '--status', ''],
      [...EXECUTION_STATUSES, 'ended'],
    ],
    [
      ['executions', 'list', 'x', '--order', ''],
      ['asc', 'desc'],
    ],
    [
      ['failures', '--status', ''],
      ['failed', 'skipped'],
    ],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['jobs', 'create', '--schedule', ''], ['']],
    [['plan', ''], FILES],
    [['apply', 'jobs'], ['jobs.yaml']],
    [['apply', '--pru'], ['--prune']],
    [['import', 'crontab', '--out', ''], FILES],
    [['jobs', 'create', '--file', 'my'], ['my file']],
  ])('%j', async (words, expected) => {
    const { file } = await script('bash');
    expect(completionsOf(file, words).toSorted()).toEqual(expected.toSorted());
    expect(asked()).toBeUndefined();
  });

  test.each(WITH_IDS)('ids: %s %s %s', async (...words) => {
    const { file } = await script('bash');
    expect(completionsOf(file, words)).toEqual(IDS);
    expect(asked()).toEqual(['complete', '--', ...words]);
  });

  test('without ids, the flags', async () => {
    const { file } = await script('bash');
    expect(completionsOf(file, ['jobs', 'get', ''], [])).toContain('--json');
    expect(completionsOf(file, ['jobs', 'get', 're'], [])).toEqual(['']);
  });
});

/** The functions of zsh's completion system that the script calls, and the state of a command line. */
const ZSH = (folder: string) => `
_describe() { [[ $1 == -o ]] && shift 2 || shift; print -rl -- "\${(@)\${(@P)1}%%:*}" }
compadd() { shift; print -rl -- "$@" }
compset() { PREFIX="\${PREFIX#*=}" }
_files() { print -rl -- *(N) }
_message() { print }
compdef() { print 'only defined' }
fpath=(${folder}); autoload -Uz _quarterjack
words=(quarterjack "$@"); CURRENT=\${#words}; PREFIX="\${words[-1]}"
_quarterjack`;

describe.each<[string, (file: string, folder: string, words: string[]) => string[]]>([
  // An autoloaded function completes at its first call.
  ['zsh', (_file, folder, words) => ['-f', '-c', ZSH(folder), 'zsh', ...words]],
  [
    'fish',
    (file, _folder, words) => [
      '--no-config',
      '-c',
      `source ${file}; complete -C "quarterjack ${words.join(' ')}" | string split -f 1 \\t; true`,
    ],
  ],
])('%s', (shell, argsOf) => {
  const isInstalled = spawnSync(shell, ['--version']).status === 0;
  if (!isInstalled)
    process.stderr.write(`skipped: the completion of ${shell}, because there is no ${shell}\n`);
  const ifInstalled = isInstalled ? test.each : test.skip.each;

  async function completionsOf(words: string[], printed = IDS): Promise<string[]> {
    const { file, stdout } = await script(shell);
    const folder = join(session.home, 'fpath');
    mkdirSync(folder);
    writeFileSync(join(folder, '_quarterjack'), stdout);
    const found = execFileSync(shell, argsOf(file, folder, words), {
      encoding: 'utf8',
      cwd: folderOfFiles(),
      env: environment(printed),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    // zsh's own functions leave out what does not begin with the word.
    return found.split('\n').filter((one) => one !== '' && one.startsWith(words.at(-1)!));
  }

  ifInstalled<[string[], string[]]>([
    [['j'], ['jobs']],
    [['jobs', 'pau'], ['pause']],
    [['--profile', 'prod', 'jobs', 'de'], ['delete']],
    [
      ['jobs', 'create', 'x', '--priority', 'lo'],
      ['low', 'lowest'],
    ],
    [['jobs', 'list', '--status', ''], JOB_STATUSES],
    [
      ['executions', 'list', 'x', '--status', ''],
      [...EXECUTION_STATUSES, 'ended'],
    ],
    [
      ['executions', 'list', 'x', '--order', ''],
      ['asc', 'desc'],
    ],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['plan', ''], FILES],
    [['jobs', 'list', '-o', 'y'], ['yaml']],
    [['-o', 'json', 'jobs', 'pau'], ['pause']],
    [['jobs', 'list', '--sta'], ['--status']],
  ])('%j', async (words, expected) => {
    expect((await completionsOf(words)).toSorted()).toEqual(expected.toSorted());
    expect(asked()).toBeUndefined();
  });

  (isInstalled ? test.each : test.skip.each)(WITH_IDS)('ids: %s %s %s', async (...words) => {
    const found = await completionsOf(words);
    // fish offers flags beside them.
    expect(found.filter((one) => !one.startsWith('-'))).toEqual(IDS);
    expect(asked()).toEqual(['complete', '--', ...words]);
  });

  (isInstalled ? test : test.skip)('without ids, no error', async () => {
    expect(await completionsOf(['jobs', 'get', 're'], [])).toEqual([]);
    expect(asked()).toEqual(['complete', '--', 'jobs', 'get', 're']);
  });
});

test('another shell is rejected', async () => {
  expect(await session.run('completion tcsh')).toMatchObject({ exitCode: 3 });
});
