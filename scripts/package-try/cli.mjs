/**
 * Tries the package that users install, from empty folders: each package manager on each Node.js. Programs
 * come from the registry of npm. The report names the combinations that were run.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { nodeOf, NODES } from '../node-versions.mjs';
import { installed, tryCombination } from './combination.mjs';

const USAGE = `Tries the package from empty folders, with each package manager on each Node.js.

  npm run package:try -- [flags]

  --manager LIST   of npm, pnpm and yarn (default: all)
  --node LIST      major versions, of 20, 22 and 24 (default: all)
  --cdk            also the construct, with the CDK from the registry: some 100 MB for each combination
  --tarball FILE   try this package instead of building one
  --report FILE    where the report goes (default .quarterjack/package-try/report.json)
  --help           print this help

Exit codes: 0 all combinations work, 1 one does not, 2 wrong flags.
`;

/** The newest version of each that runs on Node.js 20. Yarn 1 is the yarn of the registry's package. */
const MANAGERS = { pnpm: ['pnpm@10.20.0', 'pnpm/bin/pnpm.cjs'], yarn: ['yarn@1.22.22', 'yarn/bin/yarn.js'] };

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const tools = join(root, '.quarterjack/package-try');

class UsageError extends Error {}

function flags() {
  try {
    return parseArgs({
      options: {
        manager: { type: 'string', default: 'npm,pnpm,yarn' },
        node: { type: 'string', default: '20,22,24' },
        cdk: { type: 'boolean', default: false },
        tarball: { type: 'string' },
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

async function managerOf(name) {
  // The npm of the machine: `npm` on the path is a link to its program.
  if (name === 'npm') {
    const npm = execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim();
    return { name, program: realpathSync(npm) };
  }
  const [spec, file] = MANAGERS[name];
  return { name, program: await installed(tools, spec, file) };
}

function built() {
  execFileSync(process.execPath, [join(root, 'scripts/build-package.mjs'), '--pack'], { stdio: 'inherit' });
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return join(root, 'dist', `${name}-${version}.tgz`);
}

async function main() {
  const { manager, node, cdk, tarball, report, help } = flags();
  if (help) return process.stdout.write(USAGE);
  const names = listOf('manager', manager, ['npm', 'pnpm', 'yarn']);
  const majors = listOf('node', node, Object.keys(NODES));
  const file = tarball === undefined ? built() : resolve(tarball);
  const results = [];
  for (const name of names)
    for (const major of majors) {
      const program = await nodeOf(tools, major);
      const version = execFileSync(program, ['--version'], { encoding: 'utf8' }).trim();
      const options = { root, tarball: file, node: program, manager: await managerOf(name), withCdk: cdk };
      const found = await tryCombination(options).then(
        (steps) => ({ works: true, steps }),
        (error) => ({ works: false, error: error.message }),
      );
      results.push({ manager: name, node: version, cdk, ...found });
      process.stdout.write(
        `${name} on Node.js ${version}: ${found.works ? `works, ${found.steps.length} steps` : found.error}\n`,
      );
    }
  mkdirSync(dirname(report), { recursive: true });
  writeFileSync(report, `${JSON.stringify(results, null, 2)}\n`);
  if (results.some(({ works }) => !works)) process.exitCode = 1;
}

main().catch((error) => {
  process.stderr.write(`package:try: ${error.message}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
});
