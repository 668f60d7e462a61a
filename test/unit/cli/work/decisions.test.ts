import type { Work } from '../../../../client/worker';
import { commandEnvironment, cronEnvironment, stdinOf } from '../../../../cli/work/environment';
import { errorText, fatalExitsOf, outcomeOf, statusText } from '../../../../cli/work/exit-outcome';
import { LineSplitter } from '../../../../cli/work/lines';
import { anchored, payloadCommandOf, type PayloadRules } from '../../../../cli/work/payload-command';
import { Tail } from '../../../../cli/work/tail';
import { actionAt, afterDeath, limitsOfEnding, limitsOfLease } from '../../../../cli/work/watchdog/limits';
import { later } from '../../../../client/worker';

describe('an exit status', () => {
  const fatal = fatalExitsOf('2,64-78');
  test.each([
    [0, 'succeeded', 'exit code 0'],
    [1, 'retriable', 'exit code 1'],
    [2, 'fatal', 'exit code 2'],
    [64, 'fatal', 'exit code 64'],
    [75, 'retriable', 'exit code 75'],
    [78, 'fatal', 'exit code 78'],
    [79, 'retriable', 'exit code 79'],
    [143, 'retriable', 'exit code 143 (SIGTERM)'],
  ])('%i is %s', (code, outcome, text) => {
    expect([outcomeOf({ code, signal: null }, fatal), statusText({ code, signal: null })]).toEqual([
      outcome,
      text,
    ]);
  });

  test('of a signal may be retried', () => {
    const status = { code: null, signal: 'SIGSEGV' } as const;
    expect([outcomeOf(status, fatal), statusText(status)]).toEqual(['retriable', 'killed by SIGSEGV']);
    expect([errorText('exit code 1', ''), errorText('exit code 1', 'no rows')]).toEqual([
      'exit code 1',
      'exit code 1: no rows',
    ]);
  });

  test.each(['0', '256', '5-2', '2,', 'x', '1-', '-1'])('%s is no set of codes', (text) => {
    expect(() => fatalExitsOf(text)).toThrow(
      `--fatal-exit is "${text}"; expected exit codes from 1 to 255, such as 2,64-78`,
    );
  });
});

describe('bytes', () => {
  const splitOf = (...chunks: (string | Buffer)[]) => {
    const lines = new LineSplitter();
    return [...chunks.flatMap((chunk) => lines.push(Buffer.from(chunk))), ...lines.end()];
  };
  test.each<[string, (string | Buffer)[], string[]]>([
    ['are split at line feeds', ['a\nb\n'], ['a', 'b']],
    ['may end within a line', ['a\nb'], ['a', 'b']],
    ['may have empty lines and CRLF', ['a\r\n\nb\r\n'], ['a', '', 'b']],
    ['may cut a character', [Buffer.from([0xc3]), Buffer.from([0xa4, 0x0a])], ['ä']],
    ['need not be UTF-8', [Buffer.from([0xff, 0x41, 0x00])], ['\uFFFDA\0']],
    ['keep colours', ['\u001b[31mred\n'], ['\u001b[31mred']],
  ])('%s', (_, chunks, lines) => {
    expect(splitOf(...chunks)).toEqual(lines);
  });

  test('without a line feed are passed on in parts', () => {
    const lines = new LineSplitter();
    const parts = Array.from({ length: 5 }, () => lines.push(Buffer.alloc(32_768, 'x'))).flat();
    expect(parts.map(({ length }) => length)).toEqual([65_536, 65_536]);
    expect(lines.end()).toEqual(['x'.repeat(32_768)]);
  });

  test('of an error are the last ones', () => {
    const tail = new Tail(8);
    for (const text of ['first\n', 'sec', 'ond ä', '\n']) tail.push(Buffer.from(text));
    expect(tail.text()).toBe('cond ä');
    tail.push(Buffer.from('xääää'));
    expect(tail.text()).toBe('ääää');
    tail.push(Buffer.from('y'));
    expect(tail.text()).toBe('äääy');
  });
});

describe('the command of a payload', () => {
  const rules: PayloadRules = {
    allow: [anchored('/bin/backup( --full)?|echo .*'), anchored('cd /srv && make')],
    allowShell: false,
    allowUsers: ['www-data'],
    allowEnv: ['PATH', 'SHELL'],
    ownUser: 'ops',
  };

  test.each<[string, unknown, object, object | string]>([
    ['is run by its words', { command: '/bin/backup --full' }, {}, { argv: ['/bin/backup', '--full'] }],
    [
      'keeps quoted text as it is',
      { command: `echo 'a  2>&1 b' "c"` },
      {},
      { argv: ['echo', 'a  2>&1 b', 'c'] },
    ],
    ['may have input', { command: 'echo a', stdin: 'x\ny' }, {}, { stdin: 'x\ny' }],
    [
      'may run as another user',
      { command: 'echo a', user: 'www-data', env: { PATH: '/usr/bin' } },
      {},
      { user: 'www-data', env: { PATH: '/usr/bin' } },
    ],
    ['may name the worker’s own user', { command: 'echo a', user: 'ops' }, {}, { argv: ['echo', 'a'] }],
    [
      'may not run as any user',
      { command: 'echo a', user: 'root' },
      {},
      'the worker has no --allow-user root',
    ],
    [
      'may not set any variable',
      { command: 'echo a', env: { LD_PRELOAD: '/x' } },
      {},
      'the worker has no --allow-env LD_PRELOAD',
    ],
    ['must match as a whole', { command: '/bin/backup --full; reboot' }, {}, 'no --allow of the worker'],
    ['must match from its beginning', { command: 'sudo /bin/backup' }, {}, 'no --allow of the worker'],
    ['may not go on in another line', { command: 'echo a\nreboot' }, { allowShell: true }, 'no --allow'],
    ['may not use a shell', { command: 'echo a | mail me' }, {}, 'the command needs a shell'],
    ['may not hide in a substitution', { command: 'echo $(reboot)' }, {}, 'the command needs a shell'],
    [
      'may use one that is allowed',
      { command: 'cd /srv && make' },
      { allowShell: true },
      { argv: ['/bin/sh', '-c', 'cd /srv && make'] },
    ],
    [
      'may choose it',
      { command: 'echo *', env: { SHELL: '/bin/bash' } },
      { allowShell: true },
      { argv: ['/bin/bash', '-c', 'echo *'] },
    ],
    ['must be there', { stdin: 'x' }, {}, 'the payload has no command'],
    ['must be a text', { command: ['echo'] }, {}, 'the payload has no command'],
    ['must be in an object', 'echo a', {}, 'the payload has no command'],
    ['has variables that are texts', { command: 'echo a', env: { A: 1 } }, {}, 'payload.env must be'],
  ])('%s', (_, payload, more, expected) => {
    const found = payloadCommandOf(payload, { ...rules, ...more });
    if (typeof expected === 'string') expect(found).toEqual(expect.stringContaining(expected));
    else expect(found).toMatchObject(expected);
  });

  test.each([
    ['A=1 make', true],
    ['cd /srv', true],
    ['ls [ab]', true],
    ['ls a?', true],
    ['make -C /srv all', false],
  ])('%s needs a shell: %s', (command, needs) => {
    const found = payloadCommandOf({ command }, { ...rules, allow: [anchored('.*')] });
    expect(typeof found === 'string').toBe(needs);
  });
});

describe('the environment of a command', () => {
  const work = { jobId: 'load', execId: 'e', taskId: 't', attempt: 2, fence: 3, dueAt: 'd', deadline: 'l' };
  const names = {
    QUARTERJACK_JOB_ID: 'load',
    QUARTERJACK_EXEC_ID: 'e',
    QUARTERJACK_TASK_ID: 't',
    QUARTERJACK_ATTEMPT: '2',
    QUARTERJACK_FENCE: '3',
    QUARTERJACK_DUE_AT: 'd',
    QUARTERJACK_DEADLINE: 'l',
  };
  const own = { PATH: '/opt/bin', AWS_SECRET: 'x', LANG: 'de_DE.UTF-8', QUARTERJACK_TOKEN: 'qj_1' };

  test('is that of the worker without its token', () => {
    const { QUARTERJACK_TOKEN: _, ...rest } = own;
    expect(commandEnvironment(own, work as Work)).toEqual({ ...rest, ...names });
  });

  test('of a payload is that of cron', () => {
    const given = { PATH: '/usr/local/bin', LOGNAME: 'root', QUARTERJACK_FENCE: '9' };
    expect(cronEnvironment(own, { name: 'bob', home: '/home/bob' }, given, work as Work)).toEqual({
      LANG: 'de_DE.UTF-8',
      PATH: '/usr/local/bin',
      SHELL: '/bin/sh',
      HOME: '/home/bob',
      LOGNAME: 'bob',
      USER: 'bob',
      ...names,
    });
  });

  test('goes with the payload on stdin', () => {
    expect([stdinOf({ a: 1 }), stdinOf(null), stdinOf(undefined)]).toEqual(['{"a":1}\n', 'null\n', '']);
  });
});

describe('the watchdog', () => {
  const now = { monotonicMs: 0, wallMs: 0 };
  const lease = limitsOfLease(7, later(now, 53_000), 5_000);
  const at = (ms: number) => actionAt(lease, later(now, ms));

  test('acts a quarter of a second after the worker should have', () => {
    expect([53_000, 53_249, 53_250, 58_249, 58_250].map(at)).toEqual([
      'nothing',
      'nothing',
      'terminate',
      'terminate',
      'kill',
    ]);
  });

  test('asks no group twice', () => {
    const ending = limitsOfEnding(7, now, 5_000);
    expect(actionAt(ending, later(now, 5_000))).toBe('nothing');
    expect(actionAt(ending, later(now, 5_250))).toBe('kill');
    expect(afterDeath(ending, now)).toEqual(ending);
  });

  test('ends a group at once after the death of the worker, and never later than its lease allows', () => {
    const orphaned = afterDeath(lease, later(now, 1_000));
    expect(actionAt(orphaned, later(now, 1_000))).toBe('terminate');
    expect(orphaned.killAt).toEqual(later(now, 6_000));
    expect(afterDeath(lease, later(now, 57_000)).killAt).toEqual(later(now, 58_250));
  });

  test('sees that the machine has slept', () => {
    expect(actionAt(lease, { monotonicMs: 1_000, wallMs: 3_600_000 })).toBe('kill');
  });
});
