import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Command } from 'commander';

import { processIo } from '../../../cli/io';
import { makeProgram } from '../../../cli/program';

const root = join(__dirname, '../../../console');
const LINE = /npx @quarterjack\/cli ([^'"`<\n]+)/g;

/** Command lines that pages print. What a page fills in is `x`. */
const printed = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .flatMap((file) => {
    const source = readFileSync(join(root, file), 'utf8').replace(/\$\{[^}]*\}/g, 'x');
    return [...source.matchAll(LINE)].map(([, line]) => line!.trim());
  });

/** Commands that parse their arguments, and do nothing. */
function inert(command: Command): Command {
  command.exitOverride().action(() => undefined);
  command.commands.forEach(inert);
  return command;
}

test('pages print commands', () => {
  expect(printed.length).toBeGreaterThan(5);
});

test.each(printed)('the command line takes what a page prints: %s', async (line) => {
  const program = inert(makeProgram(processIo(), () => undefined));
  await expect(program.parseAsync(line.split(/\s+/), { from: 'user' })).resolves.toBeDefined();
});
