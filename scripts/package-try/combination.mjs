import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { CDK_PROGRAMS, CDK_TYPES, PROGRAMS, TYPES } from './programs.mjs';

const STRICT = ['--noEmit', '--strict', '--target', 'es2023', '--module', 'nodenext', '--ignoreConfig'];
const STRICTEST = [
  ...STRICT,
  ...['--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--noImplicitOverride'],
];

/**
 * What is compiled, and how. With exact optional properties, classes of aws-cdk-lib 2.276 do not fit its own
 * interfaces, such as `RestApiBase`. Users who set that option set `skipLibCheck` too, which the CDK's own
 * template does. So the declarations of this package are checked without either, beside those of the CDK.
 */
const compiled = (withCdk) => ({
  'types.mts': { text: TYPES, flags: STRICTEST },
  ...(withCdk && {
    'stack.mts': { text: CDK_TYPES, flags: [...STRICTEST, '--skipLibCheck'] },
    'declarations.mts': { text: CDK_TYPES, flags: STRICT },
  }),
});

/** How each package manager adds packages to a folder. pnpm and yarn are programs of Node.js too. */
const ADD = {
  npm: ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'],
  pnpm: ['add', '--ignore-scripts', '--prefer-offline'],
  yarn: ['add', '--ignore-scripts', '--prefer-offline', '--non-interactive'],
};

/**
 * Installs the tarball into an empty folder with one package manager on one Node.js, and uses it as its users
 * do. Throws an error that names the step and what it printed. Returns the names of the steps.
 */
export async function tryCombination({ root, tarball, node, manager, withCdk }) {
  const folder = mkdtempSync(join(tmpdir(), 'quarterjack-try-'));
  const env = { ...process.env, PATH: dirname(node) + delimiter + process.env.PATH, NODE_OPTIONS: '' };
  const steps = [];
  const run = async (name, program, args) => {
    const options = { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 };
    const { stdout } = await promisify(execFile)(program, args, options).catch((error) => {
      throw new Error(`${name}: ${error.message}\n${error.stdout ?? ''}${error.stderr ?? ''}`, {
        cause: error,
      });
    });
    steps.push(name);
    return stdout.trim();
  };
  const expectLine = (name, found, wanted) => {
    if (found !== wanted) throw new Error(`${name}: printed ${JSON.stringify(found)}; expected ${wanted}`);
  };
  try {
    writeFileSync(join(folder, 'package.json'), '{ "name": "user", "version": "1.0.0", "private": true }\n');
    const { dependencies, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const peers = ['aws-cdk-lib', 'constructs'].map((peer) => `${peer}@${dependencies[peer]}`);
    await run('install', node, [manager.program, ...ADD[manager.name], tarball, ...(withCdk ? peers : [])]);

    for (const [name, { text, prints }] of Object.entries({ ...PROGRAMS, ...(withCdk && CDK_PROGRAMS) })) {
      writeFileSync(join(folder, name), text);
      expectLine(name, await run(name, node, [name]), prints);
    }
    const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')];
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    for (const [name, { text, flags }] of Object.entries(compiled(withCdk))) {
      writeFileSync(join(folder, name), text);
      // The compiler runs on the Node.js of the checkout: it is a tool here, and not what is tried.
      await run(name, process.execPath, [tsc, ...flags, ...types, name]);
    }
    const cli = join(folder, 'node_modules/.bin/quarterjack');
    expectLine('quarterjack --version', await run('quarterjack --version', cli, ['--version']), version);
    return steps;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Installs a program from the registry into a folder of its own. Returns the path of a file in it. */
export async function installed(folder, spec, file) {
  const own = join(folder, spec.replace(/[^\w.-]/g, '_'));
  mkdirSync(own, { recursive: true });
  const args = [
    'install',
    '--prefix',
    own,
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
    spec,
  ];
  await promisify(execFile)('npm', args, { env: process.env });
  return join(own, 'node_modules', file);
}
