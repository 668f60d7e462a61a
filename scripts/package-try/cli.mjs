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
import { CLI, PACKAGES, tarballOf } from '../package/names.mjs';
import { tryCombination } from './combination.mjs';
import { firstJob } from './first-job.mjs';
import { publish, publishBundled, startRegistry } from './registry.mjs';
import { rehearse } from './rehearse.mjs';
import { findingsOf, installTools, TOOLS } from './tools.mjs';
import { threeFiles } from './three-files.mjs';
import { tryUpgrade } from './upgrade.mjs';

const USAGE = `Publishes the packages to a registry on this machine, and installs them from it in empty folders.

  npm run package:try -- [flags]

  --manager LIST   of npm, pnpm and yarn (default: all)
  --node LIST      major versions, of 20, 22 and 24 (default: all)
  --cdk            also the construct, with the CDK from the registry: some 100 MB for each combination
  --release        those that a release of the last commit publishes, in a clone; without it, those of the
                   working tree
  --report FILE    where the report goes (default .quarterjack/package-try/report.json)
  --help           print this help

Exit codes: 0 all works, 1 something does not, 2 wrong flags.
`;

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const tools = join(root, '.quarterjack/package-try');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const print = (line) => void process.stdout.write(`${line}\n`);

class UsageError extends Error {}

function flags() {
  try {
    return parseArgs({
      options: {
        manager: { type: 'string', default: 'npm,pnpm,yarn' },
        node: { type: 'string', default: '20,22,24' },
        cdk: { type: 'boolean', default: false },
        release: { type: 'boolean', default: false },
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

/** Builds all packages of the working tree, and publishes them. Resolves to the folder of their tarballs. */
async function publishBuilt(registry) {
  const folder = join(tools, 'packages');
  const script = join(root, 'scripts/build-package.mjs');
  execFileSync(process.execPath, [script, '--pack', '--out', folder], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await publish(
    registry,
    tarballsIn(folder).map(({ tarball }) => tarball),
  );
  return { folder, remove: () => undefined };
}

const tarballsIn = (folder) =>
  Object.values(PACKAGES).map((name) => ({
    name,
    tarball: join(folder, tarballOf(name, version)),
    typed: name !== CLI,
  }));

async function lint(packages) {
  for (const one of packages) {
    const findings = await findingsOf(one);
    if (findings === undefined) continue;
    print(findings);
    throw new Error(`${one.name} has findings`);
  }
  print('publint and arethetypeswrong: no findings');
}

/** On each Node.js, a first job by npx, the three files of the quick start, and then each package manager. */
async function tryAll({ managers, majors, cdk, registry }) {
  const results = [];
  for (const major of majors) {
    const node = await nodeOf(join(root, '.quarterjack/nodes'), major);
    const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
    const note = async (tried, result) => {
      const found = await result.then(
        (says) => ({ works: true, says }),
        (error) => ({ works: false, says: error.message }),
      );
      results.push({ node: version, tried, ...found });
      print(`${tried} on Node.js ${version}: ${found.says}`);
    };
    await note('npx', firstJob(registry, node));
    await note('three files', threeFiles({ root, registry, node }));
    for (const name of managers)
      await note(name, tryCombination({ root, registry, node, manager: managerOf(name), withCdk: cdk }));
  }
  return results;
}

async function main() {
  const { manager, node, cdk, release, report, help } = flags();
  if (help) return print(USAGE.trimEnd());
  const managers = listOf('manager', manager, ['npm', 'pnpm', 'yarn']);
  const majors = listOf('node', node, Object.keys(NODES));
  await installTools();
  const registry = await startRegistry(TOOLS.verdaccio);
  try {
    const published = await (release ? rehearse({ root, registry, version, print }) : publishBuilt(registry));
    try {
      const packages = tarballsIn(published.folder);
      await lint(packages);
      const tarballs = packages.map(({ tarball }) => tarball);
      print(`an upgrade works ${await tryUpgrade({ root, registry, tarballs, version })}`);
    } finally {
      published.remove();
    }
    if (cdk) await publishBundled(registry, join(root, 'node_modules/aws-cdk-lib'));
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
