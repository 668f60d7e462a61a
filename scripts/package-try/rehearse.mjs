import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * Releases the last commit of a checkout to a registry, in a clone, as a person does: as a dry run, and then
 * twice. The second time builds all anew, and finds the bytes of the first. Resolves to the folder of the
 * tarballs, and `remove`, which deletes the clone.
 */
export async function rehearse({ root, registry, version, print }) {
  const folder = mkdtempSync(join(tmpdir(), 'quarterjack-rehearsal-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const clone = join(folder, 'clone');
    await prepare(root, clone, version);
    const release = (...flags) => releaseIn(clone, registry, flags);

    expectLine(await release('--dry-run', '--registry', registry.url), 'dry run: nothing was changed');
    expectNo('tag', git(clone, 'tag'));
    print('a dry run says each step');

    const released = `released ${version} to ${registry.url}; now push its tag: git push origin v${version}`;
    expectLine(await release('--registry', registry.url), released);
    if (git(clone, 'rev-parse', `v${version}^{commit}`) !== git(clone, 'rev-parse', 'HEAD'))
      throw new Error(`the tag v${version} is not at the released commit`);
    const files = join(clone, 'dist/release', version);
    execFileSync('sha256sum', ['--check', '--quiet', '--strict', 'SHA256SUMS'], { cwd: files });
    print('a release has packages, checksums and a tag');

    expectLine(await release('--registry', registry.url), released);
    expectNo('change', git(clone, 'status', '--porcelain'));
    print('a repeat builds the same bytes, and publishes nothing');
    return { folder: files, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** A clone on main, with a section of the version, and the note of a deep run. */
async function prepare(root, clone, version) {
  execFileSync('git', ['clone', '--quiet', root, clone]);
  git(clone, 'checkout', '--quiet', '-B', 'main');
  git(clone, 'config', 'user.name', 'A rehearsal');
  git(clone, 'config', 'user.email', 'rehearsal@example.com');
  const changelog = join(clone, 'CHANGELOG.md');
  const text = readFileSync(changelog, 'utf8');
  const section = `## ${version} - `;
  if (!text.includes(section)) {
    const date = new Date().toISOString().slice(0, 'yyyy-mm-dd'.length);
    writeFileSync(changelog, text.replace(/^## Unreleased$/m, section + date));
    git(clone, 'commit', '--quiet', '--all', '--message', `release ${version}`);
  }
  mkdirSync(join(clone, '.quarterjack'));
  writeFileSync(join(clone, '.quarterjack/deep-passed'), git(clone, 'rev-parse', 'HEAD'));
  const install = ['ci', '--no-audit', '--no-fund', '--prefer-offline'];
  await promisify(execFile)('npm', install, { cwd: clone });
}

const git = (cwd, ...args) => execFileSync('git', args, { cwd, encoding: 'utf8' }).trim();

async function releaseIn(clone, { settings }, flags) {
  const env = { ...process.env, npm_config_userconfig: settings };
  const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'release', '--', ...flags], {
    cwd: clone,
    env,
  });
  return stdout;
}

function expectLine(said, line) {
  if (!said.split('\n').includes(line)) throw new Error(`the release did not say "${line}":\n${said}`);
}

function expectNo(what, found) {
  if (found !== '') throw new Error(`the release left a ${what}: ${found}`);
}
