import { colouredLines, jsonText, lines, singleLine } from '../../../../cli/terminal/printable';

const HIDDEN = [
  ...['\u0000', '\u0007', '\u001b', '\u007f', '\u009b', '\r', '\u2028', '\u2029'],
  ...['\u061c', '\u200b', '\u200e', '\u200f', '\u202a', '\u202e', '\u2060', '\u2066', '\u2069', '\ufeff'],
];

test.each(HIDDEN)('%j is never printed, and JSON keeps it as an escape', (character) => {
  const text = `a${character}b`;
  expect(singleLine(text)).toBe('a b');
  expect(lines(text)).toBe('a b');
  expect(colouredLines(text)).toBe('a b');
  const json = jsonText({ [text]: [text] });
  expect(json).not.toContain(character);
  expect(JSON.parse(json)).toEqual({ [text]: [text] });
});

test('line breaks and tabs stay where lines are asked for', () => {
  expect(singleLine('a\n\tb')).toBe('a  b');
  expect(lines('a\n\tb')).toBe('a\n\tb');
  expect(jsonText({ a: 1 })).toBe('{\n  "a": 1\n}\n');
});

test('of escape sequences, only colours stay, and only where they are expected', () => {
  expect(colouredLines('\x1b[32mok\x1b[39m\x1b[2J\x1b]0;title\x07')).toBe('\x1b[32mok\x1b[39m [2J ]0;title ');
  expect(lines('\x1b[32mok')).toBe(' [32mok');
});

test('emoji, accents and scripts stay as they are', () => {
  const text = '👩‍🚀 é नमस्ते می‌خواهم 日本';
  expect(singleLine(text)).toBe(text);
  expect(jsonText(text)).toBe(`${JSON.stringify(text)}\n`);
});
