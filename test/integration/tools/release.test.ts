import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';

import { CDK, CLI, CLIENT } from '../../../scripts/package/names.mjs';
import { listenOnLoopback, type LoopbackServer } from '../../support/loopback-server';

const CHECKOUT_DIR = join(__dirname, '../../..');
const PACKAGES = [CLIENT, CLI, CDK];
const tarballOf = (name: string): string => `${name.replace('@', '').replace('/', '-')}-0.1.0.tgz`;

/** In place of the real one: the packages were packed before. */
const BUILD = `
import { cpSync } from 'node:fs';
import { parseArgs } from 'node:util';
const { out } = parseArgs({ options: { pack: { type: 'boolean' }, out: { type: 'string' } } }).values;
cpSync('../tarballs', out, { recursive: true });
`;

const TEMPLATES = `
const [, , flag, out] = process.argv;
require('node:fs').mkdirSync(out);
require('node:fs').writeFileSync(out + '/a.template.json', flag);
`;

let dir: string;
let repository: string;
const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: repository, encoding: 'utf8' }).trim();

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'quarterjack-release-'));
  mkdirSync(join(dir, 'tarballs'));
  const folders = PACKAGES.map((name) => join(dir, 'sources', name));
  for (const [at, folder] of folders.entries()) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: PACKAGES[at], version: '0.1.0' }));
  }
  const flags = ['pack', '--silent', '--pack-destination', join(dir, 'tarballs')];
  execFileSync('npm', [...flags, ...folders], { cwd: dir, stdio: 'ignore' });
});
afterAll(() => rmSync(dir, { recursive: true }));

let registry: Registry;
beforeEach(async () => {
  repository = join(dir, 'repository');
  mkdirSync(join(repository, 'scripts'), { recursive: true });
  cpSync(join(CHECKOUT_DIR, '.gitignore'), join(repository, '.gitignore'));
  writeFileSync(join(repository, 'scripts/build-package.mjs'), BUILD);
  const scripts = { templates: 'node scripts/write-templates.cjs' };
  writeFileSync(join(repository, 'scripts/write-templates.cjs'), TEMPLATES);
  writeFileSync(join(repository, 'package.json'), JSON.stringify({ version: '0.1.0', scripts }));
  writeFileSync(join(repository, 'CHANGELOG.md'), '## 0.1.0 - 2026-11-29\n\nThe first one.\n');
  git('init', '--quiet', '--initial-branch', 'main');
  git('config', 'user.name', 'A releaser');
  git('config', 'user.email', 'releaser@example.com');
  git('add', '.');
  git('commit', '--quiet', '--message', 'a commit');
  mkdirSync(join(repository, '.quarterjack'));
  writeFileSync(join(repository, '.quarterjack/deep-passed'), `${git('rev-parse', 'HEAD')}\n`);
  registry = await startRegistry();
  const settings = `//${new URL(registry.server.url).host}/:_authToken=any\nupdate-notifier=false\n`;
  writeFileSync(join(dir, 'npmrc'), settings);
});
afterEach(() => {
  registry.server.stop();
  rmSync(repository, { recursive: true });
});

interface Registry {
  server: LoopbackServer;
  /** The integrity of each package that it has. */
  has: Map<string, string>;
  /** Packages that it does not take. */
  refuses: Set<string>;
  /** What was published, in its order, refused or not. */
  asked: string[];
}

interface Published {
  versions: Record<string, { dist: { integrity: string } }>;
}

/** What `npm view` and `npm publish` need of a registry. It has an older version of the construct alone. */
async function startRegistry(): Promise<Registry> {
  const [has, refuses, asked] = [new Map<string, string>(), new Set<string>(), [] as string[]];
  const answer = async (request: IncomingMessage): Promise<[number, object]> => {
    const name = decodeURIComponent(request.url!.slice(1));
    if (request.method === 'PUT') {
      const { versions } = JSON.parse(await text(request)) as Published;
      asked.push(name);
      if (refuses.has(name)) return [403, { error: 'no rights' }];
      has.set(name, versions['0.1.0']!.dist.integrity);
      return [201, {}];
    }
    const versions: [string, string | undefined][] = [
      ['0.0.9', name === CDK ? 'sha512-b2xkZXI=' : undefined],
      ['0.1.0', has.get(name)],
    ];
    const found = versions.flatMap(([version, integrity]) =>
      integrity === undefined ? [] : [{ name, version, dist: { integrity, tarball: `${server.url}/a.tgz` } }],
    );
    if (found.length === 0) return [404, { error: 'not found' }];
    const latest = found.at(-1)!.version;
    return [
      200,
      { name, 'dist-tags': { latest }, versions: Object.fromEntries(found.map((one) => [one.version, one])) },
    ];
  };
  const server = await listenOnLoopback((request, response) => {
    void answer(request).then(([status, body]) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  return { server, has, refuses, asked };
}

const release = (...flags: string[]): Promise<{ stdout: string }> =>
  promisify(execFile)(
    process.execPath,
    [...['--import', require.resolve('tsx')], ...[join(CHECKOUT_DIR, 'scripts/release/cli.ts'), ...flags]],
    {
      cwd: repository,
      env: {
        ...process.env,
        npm_config_userconfig: join(dir, 'npmrc'),
        npm_config_cache: join(dir, 'cache'),
      },
    },
  );

const releaseHere = (): Promise<{ stdout: string }> => release('--registry', registry.server.url);

const ownIntegrity = (name: string): string => {
  const bytes = readFileSync(join(dir, 'tarballs', tarballOf(name)));
  return `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
};
const RELEASE = 'dist/release/0.1.0';

test('a release that was cut off half-way goes on with what the registry has not', async () => {
  registry.refuses.add(CLI);
  await expect(releaseHere()).rejects.toThrow(/npm publish: [^]*403/);
  expect(registry.asked).toEqual([CLIENT, CLI]);

  registry.refuses.clear();
  const { stdout } = await releaseHere();
  expect(registry.asked).toEqual([CLIENT, CLI, CLI, CDK]);
  expect(registry.has).toEqual(new Map(PACKAGES.map((name) => [name, ownIntegrity(name)])));
  expect(git('rev-parse', 'v0.1.0^{commit}')).toBe(git('rev-parse', 'HEAD'));
  expect(stdout).toContain('now push its tag: git push origin v0.1.0');
  // Throws for a wrong sum, and for a file that is not there.
  const checked = execFileSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: join(repository, RELEASE) });
  expect(checked.toString().split('\n')).toEqual([
    ...PACKAGES.map((name) => `${tarballOf(name)}: OK`).sort(),
    'templates/a.template.json: OK',
    '',
  ]);
});

test('where the registry has other bytes of the version, nothing is published, and no file or tag is left', async () => {
  registry.has.set(CDK, 'sha512-b3RoZXI=');
  await expect(releaseHere()).rejects.toThrow(`has another ${CDK} 0.1.0: its integrity is sha512-b3RoZXI=`);
  expect(registry.asked).toEqual([]);
  expect(git('tag')).toBe('');
  expect(existsSync(join(repository, RELEASE))).toBe(false);
});

test.each([
  [[], '--registry is missing; expected the URL of a registry, or --dry-run'],
  [['--registry', 'registry.test'], '--registry is "registry.test"; expected an http or https URL'],
  [['--publish'], "Unknown option '--publish'; see --help"],
])('flags %j are wrong', async (given, message) => {
  await expect(release(...given)).rejects.toMatchObject({ code: 2, stderr: `release: ${message}\n` });
});
