import { fields, plain, table, texts } from '../../../../cli/terminal/table';

test('columns are as wide as their visible text', () => {
  const rows = [
    ['a', '\x1b[32mok\x1b[39m', 'x'],
    ['long', 'no', ''],
  ];
  expect(table(['ID', 'S', 'R'], rows)).toBe('ID    S   R\na     \x1b[32mok\x1b[39m  x\nlong  no\n');
});

describe('on a terminal', () => {
  const COLUMNS = ['ID', { head: 'AT', spare: 1 }, texts('TEXT', 6), { ...texts('NAME', 6), spare: 2 }];
  const ROWS = [
    ['report', '10:00', 'a longer text', 'its name'],
    ['b', '', '日本語の名前', 'é\x1b[31mred text\x1b[39m'],
  ];

  test('a table that fits is whole', () => {
    expect(table(COLUMNS, ROWS, 39)).toBe(table(COLUMNS, ROWS));
    expect(table(COLUMNS, ROWS)).not.toContain('…');
  });

  test('the widest texts are cut first, in columns of the terminal, and keep their colours', () => {
    expect(table(COLUMNS, ROWS, 31)).toBe(
      'ID      AT     TEXT     NAME\n' +
        'report  10:00  a long…  its na…\n' +
        'b              日本語…  é\x1b[31mred t…\x1b[39m\n',
    );
  });

  test('columns are left out once texts are as short as they may be, and named below', () => {
    expect(table(COLUMNS, ROWS, 26)).toBe(
      'ID      AT     TEXT\nreport  10:00  a longer t…\nb              日本語の名…\nleft out: NAME\n',
    );
    expect(table(COLUMNS, ROWS, 19)).toBe(
      'ID      TEXT\nreport  a longer t…\nb       日本語の名…\nleft out: AT, NAME\n',
    );
  });

  test('rows become lists where not even the rest fits, and nothing of them is lost', () => {
    expect(table(COLUMNS, ROWS, 13)).toBe(
      'ID    report\nAT    10:00\nTEXT  a longer text\nNAME  its name\n\n' +
        'ID    b\nTEXT  日本語の名前\nNAME  é\x1b[31mred text\x1b[39m\n',
    );
  });
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

test('plain removes control characters', () => {
  expect(plain('a\x1b[2Jb\r\nc\u202e')).toBe('a [2Jb  c ');
});

test('a list of names and values has whole values, but on a terminal', () => {
  const value = 'x'.repeat(1_000);
  expect(fields([['payload', value]])).toBe(`payload  ${value}\n`);
  expect(fields([['payload', value]], 80)).toBe(`payload  ${value.slice(0, 299)}…\n`);
});
