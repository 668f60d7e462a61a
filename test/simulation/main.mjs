/**
 * Bundles the simulation, and runs its command line. Compiled once and without a loader, a seed takes much
 * less CPU than under tsx or Jest. `--mutant NAME` bundles it with one fault of `test/mutants`. `--then`
 * begins a further command. The same process runs it, since a new process costs more CPU than a new bundle.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));
const cache = join(root, 'node_modules/.cache');
const require = createRequire(import.meta.url);
// esbuild collects garbage less often: this saves a quarter of the CPU of a bundle.
process.env.GOGC ??= '400';

/** Bundles one file, and loads the bundle. */
async function load(entryPoint, plugins = []) {
  mkdirSync(cache, { recursive: true });
  // Each process has a bundle of its own, since several may run side by side.
  const outfile = join(cache, `simulation-${process.pid}.cjs`);
  await build({
    absWorkingDir: root,
    entryPoints: [entryPoint],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    // The memory tables know a command of the SDK by the name of its class, so these classes keep theirs.
    packages: 'external',
    sourcemap: 'inline',
    sourcesContent: false,
    logLevel: 'warning',
    define: { __dirname: JSON.stringify(join(root, entryPoint, '..')) },
    plugins,
  });
  try {
    return require(outfile);
  } finally {
    rmSync(outfile);
    delete require.cache[outfile];
  }
}

/** Puts the fault of a mutant into the code that is bundled. */
function faultOf(name, { MUTANTS, faultySource }) {
  const mutant = MUTANTS.find((one) => one.name === name);
  if (!mutant) {
    const like = MUTANTS.filter((one) => one.name.includes(name)).map((one) => `\n  ${one.name}`);
    const names = like.join('') || ' none';
    process.stderr.write(`test/mutants has no mutant ${JSON.stringify(name)}. With this text:${names}\n`);
    process.exit(1);
  }
  const contents = faultySource(mutant);
  // esbuild asks about each file that fits the filter, which costs more than to read it.
  const filter = new RegExp(`${mutant.file.replaceAll('.', '\\.')}$`);
  const onLoad = ({ path }) => (path === join(root, mutant.file) ? { contents, loader: 'ts' } : undefined);
  return { name: 'fault', setup: (bundle) => bundle.onLoad({ filter }, onLoad) };
}

const [node, main, ...words] = process.argv;
const list = words.includes('--mutant') ? await load('test/mutants/list.ts') : undefined;
process.setSourceMapsEnabled(true);
for (const command of [main, ...words].join('\0').split('\0--then')) {
  const args = command.split('\0').slice(1);
  const option = args.indexOf('--mutant');
  const plugins = option < 0 ? [] : [faultOf(args[option + 1], list)];
  process.argv = [node, main, ...args];
  const { played } = await load('test/simulation/cli.ts', plugins);
  await played;
}
