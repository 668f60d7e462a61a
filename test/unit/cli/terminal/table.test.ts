import { fields, plain, table } from '../../../../cli/terminal/table';

test('columns are as wide as their visible text', () => {
  const rows = [
    ['a', '\x1b[32mok\x1b[39m', 'x'],
    ['long', 'no', ''],
  ];
  expect(table(['ID', 'S', 'R'], rows)).toBe('ID    S   R\na     \x1b[32mok\x1b[39m  x\nlong  no\n');
});

test('fields without a value are left out', () => {
  expect(
    fields([
      ['a', '1'],
      ['bcd', undefined],
      ['ef', ''],
    ]),
  ).toBe('a  1\n');
});

test('plain removes control characters and cuts long text', () => {
  expect(plain('a\x1b[2Jb\r\nc\u202e')).toBe('a [2Jb  c ');
  expect(plain('xxxxx', 3)).toBe('xx…');
});
