import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Session } from '../terminal-session';

let session: Session;
beforeEach(() => (session = new Session()));
afterEach(() => session.end());

const script = async (shell: string) => {
  const { stdout } = await session.run(`completion ${shell}`);
  const file = join(session.home, shell);
  writeFileSync(file, stdout);
  return { file, stdout };
};

describe('bash', () => {
  /** The completions of the last word. */
  const completionsOf = (file: string, ...words: string[]): string[] => {
    const program = `source ${file}; COMP_WORDS=(quarterjack "$@"); COMP_CWORD=$#; _quarterjack; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return execFileSync('bash', ['-c', program, 'bash', ...words], { encoding: 'utf8' })
      .trimEnd()
      .split('\n');
  };

  test.each<[string[], string[]]>([
    [['j'], ['jobs']],
    [['jobs', 'p'], ['pause']],
    [['--profile', 'prod', 'jobs', 'de'], ['delete']],
    [['jobs', 'list', '--st'], ['--status']],
    [
      ['jobs', 'create', 'x', '--priority', 'lo'],
      ['low', 'lowest'],
    ],
    [['jobs', 'create', 'x', '--prof'], ['--profile']],
    [['import', 'eventbridge', '--na'], ['--name-prefix']],
  ])('%j', async (words, expected) => {
    const { file } = await script('bash');
    expect(completionsOf(file, ...words)).toEqual(expected);
  });
});

test.each([
  ['zsh', ['-n']],
  ['fish', ['--no-execute']],
])('%s: the shell can parse the script', async (shell, flags) => {
  const { file, stdout } = await script(shell);
  expect(stdout).toContain('executions');
  const { error, status, stderr } = spawnSync(shell, [...flags, file], { encoding: 'utf8' });
  // The shell may not be installed.
  if ((error as NodeJS.ErrnoException | undefined)?.code !== 'ENOENT')
    expect([status, stderr]).toEqual([0, '']);
});

test('another shell is rejected', async () => {
  expect(await session.run('completion tcsh')).toMatchObject({ exitCode: 3 });
});
