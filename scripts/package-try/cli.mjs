/**
 * Tries the packages that users install. It publishes them to a registry on this machine, and installs them
 * from it in empty folders: each package manager on each Node.js. The report names the combinations.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { nodeOf, NODES } from '../node-versions.mjs';
import { CLI, PACKAGES } from '../package/names.mjs';
import { tryCombination } from './combination.mjs';
import { firstJob } from './first-job.mjs';
import { startRegistry } from './registry.mjs';
import { findingsOf, installTools, TOOLS } from './tools.mjs';

const USAGE = `Publishes the packages to a registry on this machine, and installs them from it in empty folders.

  npm run package:try -- [flags]

  --manager LIST   of npm, pnpm and yarn (default: all)
  --node LIST      major versions, of 20, 22 and 24 (default: all)
  --cdk            also the construct, with the CDK from the registry: some 100 MB for each combination
  --report FILE    where the report goes (default .quarterjack/package-try/report.json)
  --help           print this help

Exit codes: 0 all works, 1 something does not, 2 wrong flags.
`;

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const tools = join(root, '.quarterjack/package-try');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

class UsageError extends Error {}

function flags() {
  try {
    return parseArgs({
      options: {
        manager: { type: 'string', default: 'npm,pnpm,yarn' },
        node: { type: 'string', default: '20,22,24' },
        cdk: { type: 'boolean', default: false },
        report: { type: 'string', default: join(tools, 'report.json') },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (cause) {
    throw new UsageError(`${cause.message.split('. ')[0]}; see --help`, { cause });
  }
}

function listOf(flag, text, allowed) {
  const items = text.split(',');
  const wrong = items.find((item) => !allowed.includes(item));
  if (wrong !== undefined)
    throw new UsageError(`--${flag} has ${JSON.stringify(wrong)}; expected a list of ${allowed.join(', ')}`);
  return items;
}

function managerOf(name) {
  if (name !== 'npm') return { name, program: TOOLS[name] };
  // The npm of the machine: `npm` on the path is a link to its program.
  const npm = execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim();
  return { name, program: realpathSync(npm) };
}

/** Builds all packages. Resolves to the folder and tarball of each. */
function built() {
  const out = join(tools, 'packages');
  const script = join(root, 'scripts/build-package.mjs');
  execFileSync(process.execPath, [script, '--pack', '--out', out], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return Object.entries(PACKAGES).map(([folder, name]) => {
    const tarball = join(out, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`);
    return { name, folder: join(out, folder), tarball, typed: name !== CLI };
  });
}

async function lint(packages) {
  for (const one of packages) {
    const findings = await findingsOf(one);
    if (findings === undefined) continue;
    process.stdout.write(findings);
    throw new Error(`${one.name} has findings`);
  }
  process.stdout.write('publint and arethetypeswrong: no findings\n');
}

async function tryAll({ managers, majors, cdk, registry }) {
  const results = [];
  for (const name of managers)
    for (const major of majors) {
      const program = await nodeOf(tools, major);
      const node = execFileSync(program, ['--version'], { encoding: 'utf8' }).trim();
      const options = { root, registry, node: program, manager: managerOf(name), withCdk: cdk };
      const found = await tryCombination(options).then(
        (steps) => ({ works: true, steps }),
        (error) => ({ works: false, error: error.message }),
      );
      results.push({ manager: name, node, cdk, ...found });
      process.stdout.write(
        `${name} on Node.js ${node}: ${found.works ? `works, ${found.steps.length} steps` : found.error}\n`,
      );
    }
  return results;
}

async function main() {
  const { manager, node, cdk, report, help } = flags();
  if (help) return process.stdout.write(USAGE);
  const managers = listOf('manager', manager, ['npm', 'pnpm', 'yarn']);
  const majors = listOf('node', node, Object.keys(NODES));
  await installTools();
  const packages = built();
  await lint(packages);
  const registry = await startRegistry({
    verdaccio: TOOLS.verdaccio,
    packages: packages.map(({ tarball }) => tarball),
  });
  try {
    process.stdout.write(await firstJob(registry));
    const results = await tryAll({ managers, majors, cdk, registry });
    mkdirSync(dirname(report), { recursive: true });
    writeFileSync(report, `${JSON.stringify(results, null, 2)}\n`);
    if (results.some(({ works }) => !works)) process.exitCode = 1;
  } finally {
    await registry.stop();
  }
}

main().catch((error) => {
  process.stderr.write(`package:try: ${error.message}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
});
