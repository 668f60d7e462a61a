import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { CDK, CLI, CLIENT } from '../package/names.mjs';
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
 * Installs the packages into an empty folder with one package manager on one Node.js, and uses them as users
 * do. Throws an error that names the step and what it printed. Resolves to how it went, as text.
 */
export async function tryCombination({ root, registry, node, manager, withCdk }) {
  const folder = mkdtempSync(join(tmpdir(), 'quarterjack-try-'));
  // What npm tells the scripts that it runs would come before the settings in the folder.
  const environment = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)),
  );
  const env = { ...environment, PATH: dirname(node) + delimiter + process.env.PATH, NODE_OPTIONS: '' };
  let steps = 0;
  const run = async (name, program, args) => {
    const options = { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 };
    const { stdout } = await promisify(execFile)(program, args, options).catch((error) => {
      throw new Error(`${name}: ${error.message}\n${error.stdout ?? ''}${error.stderr ?? ''}`, {
        cause: error,
      });
    });
    steps += 1;
    return stdout.trim();
  };
  const expectLine = (name, found, wanted) => {
    if (found !== wanted) throw new Error(`${name}: printed ${JSON.stringify(found)}; expected ${wanted}`);
  };
  try {
    writeFileSync(join(folder, 'package.json'), '{ "name": "user", "version": "1.0.0", "private": true }\n');
    const { dependencies, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const peers = ['aws-cdk-lib', 'constructs'].map((peer) => `${peer}@${dependencies[peer]}`);
    copyFileSync(registry.settings, join(folder, '.npmrc'));
    const packages = [CLIENT, CLI, ...(withCdk ? [CDK] : [])].map((name) => `${name}@${version}`);
    await run('install', node, [
      manager.program,
      ...ADD[manager.name],
      ...packages,
      ...(withCdk ? peers : []),
    ]);

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
    return `works, ${steps} steps`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
