import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { treeOf } from '../../../cli/completion/tree';
import { processIo } from '../../../cli/io';
import { makeProgram } from '../../../cli/program';

const PAGE = join(__dirname, '../../../docs/cli.md');

/** `jobs get|list JOB, token` names `jobs get`, `jobs list` and `token`, and each of their first words. */
function namesIn(cell: string): string[] {
  return cell.split(', ').flatMap((usage) => {
    const words = usage.replaceAll(/[[\]]/g, '').split(' ');
    const end = words.findIndex((word) => !/^[a-z][a-z-]*(?:\|[a-z-]+)*$/.test(word));
    const [first = '', second = ''] = end < 0 ? words : words.slice(0, end);
    return [first, ...second.split('|').map((one) => `${first} ${one}`)];
  });
}

test('the first list of docs/cli.md has every command', () => {
  const list = readFileSync(PAGE, 'utf8').split('```')[1] ?? '';
  const listed = list.split('\n').flatMap((line) => namesIn(line.split(/ {2,}/)[0] ?? ''));
  const tree = treeOf(makeProgram(processIo(), () => undefined));
  const commands = tree.filter(({ commands: below }) => below.length === 0).map(({ path }) => path);
  expect(commands.length).toBeGreaterThan(80);
  expect(commands.filter((path) => !listed.includes(path))).toEqual([]);
});
