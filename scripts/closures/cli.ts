import { Command } from 'commander';

import { closuresOf, MOST_FILES } from './closures';

/** Prints the size of each closure; with names of modules, the files of theirs by folder. */
async function main(modules: readonly string[]): Promise<void> {
  const entries = modules.length > 0 ? modules : Object.keys(MOST_FILES);
  for (const [entry, files] of await closuresOf(entries)) {
    console.log(`${String(files.length).padStart(4)}  ${entry}`);
    if (modules.length > 0) console.log(files.sort().join('\n'));
  }
}

void new Command('closures')
  .description('Counts the files that modules reach by imports of values')
  .argument(
    '[modules...]',
    'paths from the root, such as lambdas/core/attempts/claim.ts: their files are named',
  )
  .action(main)
  .parseAsync();
