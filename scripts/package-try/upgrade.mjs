import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

import { CLI, CLIENT } from '../package/names.mjs';
import { createJob, startDev } from './dev-run.mjs';

const run = promisify(execFile);
/** Of another series than any version that is released. */
const OLDER = '0.0.1';

/**
 * Does what docs/upgrades.md says, from an older version: installs the packages of this one, and goes on with
 * the state of a local run. Resolves to how it went, as text. Throws if a step goes another way.
 */
export async function tryUpgrade({ root, registry, tarballs, version }) {
  const folder = mkdtempSync(join(tmpdir(), 'quarterjack-upgrade-'));
  // Apart from what npm tells the scripts that it runs.
  const { PATH } = process.env;
  const options = { cwd: join(folder, 'app'), env: { PATH, HOME: folder, NO_UPDATE_NOTIFIER: '1' } };
  const cli = join(options.cwd, 'node_modules/.bin/quarterjack');
  try {
    for (const tarball of tarballs) await publishOlder(folder, registry, tarball);
    mkdirSync(options.cwd);
    copyFileSync(registry.settings, join(options.cwd, '.npmrc'));
    writeFileSync(
      join(options.cwd, 'package.json'),
      '{ "name": "app", "version": "1.0.0", "private": true }\n',
    );
    await run('npm', ['install', `${CLIENT}@${OLDER}`, `${CLI}@${OLDER}`], options);

    const older = await startDev(cli, [], [], options);
    try {
      const target = { type: 'http', url: 'https://example.com/' };
      await createJob(older, { jobId: 'kept', schedule: { type: 'delay', delay: '1h' }, target });
      expectText(await versionOf(cli, older, options), [
        1,
        `this command line ${OLDER} (API v1): install a command line of version ${version.replace(/\.\d+$/, '')}`,
      ]);
    } finally {
      await older.end('SIGINT');
    }

    const page = readFileSync(join(root, 'docs/upgrades.md'), 'utf8');
    const [, commands] = /^## Programs.*?^```bash\n(.*?)^```/ms.exec(page);
    const { stdout } = await run('sh', ['-e', '-c', commands], options);
    expectText([0, stdout], [0, `command line  ${version}`]);

    const newer = await startDev(cli, [], [], options);
    try {
      const headers = { authorization: `Bearer ${newer.token}` };
      const { status } = await fetch(`${newer.url}/v1/jobs/kept`, { headers });
      expectText([status, ''], [200, '']);
      expectText(await versionOf(cli, newer, options), [0, `server        ${version} (API v1)`]);
    } finally {
      await newer.end('SIGINT');
    }
    return `from ${OLDER}, with the jobs of a local run`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A package with an older number. */
async function publishOlder(folder, { settings }, tarball) {
  const own = join(folder, basename(tarball));
  mkdirSync(own);
  await run('tar', ['-xzf', tarball, '-C', own]);
  const manifest = join(own, 'package/package.json');
  writeFileSync(manifest, JSON.stringify({ ...JSON.parse(readFileSync(manifest, 'utf8')), version: OLDER }));
  const flags = ['--silent', '--tag', 'older', '--userconfig', settings];
  await run('npm', ['publish', ...flags, join(own, 'package')]);
}

/** Its exit code and texts. */
async function versionOf(cli, { url, token }, { cwd, env }) {
  const options = { cwd, env: { ...env, QUARTERJACK_URL: url, QUARTERJACK_TOKEN: token } };
  const { code = 0, stdout, stderr } = await run(cli, ['version'], options).catch((error) => error);
  return [code, stdout + stderr];
}

function expectText([code, text], [wantedCode, wanted]) {
  if (code !== wantedCode || !text.includes(wanted))
    throw new Error(`got ${code} and ${JSON.stringify(text)}; expected ${wantedCode} and ${wanted}`);
}
