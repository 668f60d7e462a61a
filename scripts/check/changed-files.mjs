/** Which files differ from those of the last run that passed. Its hashes lie in node_modules/.cache. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Every file that git tracks or would add. Throws outside a repository. */
const listFiles = () =>
  execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
    .split('\0')
    .filter((path) => path && existsSync(path));

const hashOf = (path) => createHash('sha256').update(readFileSync(path)).digest('base64url');

/** Path → hash of all files as they are now. */
export const hashFiles = (paths = listFiles()) =>
  Object.fromEntries(paths.map((path) => [path, hashOf(path)]));

/** What the last green run has written; undefined: there was none. */
export function readHashes(file) {
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Written whole or not at all: a process that is killed leaves the former file. */
export function writeHashes(file, hashes) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, JSON.stringify(hashes));
  renameSync(`${file}.new`, file);
}

/** Modules by their endings: jest knows which tests import them. */
const MODULE = /\.(?:[cm]?[jt]s|tsx)$/;

/** A module that decides how tests run, and that no test imports. */
const SETTING = /^(?:[^/]+$|test\/(?:setup|environment|sequencer|worker\/))/;

/** Documents. No import leads to them, but the tests that read them name them. */
const PAGE = /\.md$/;
const READS_PAGES = /\.md\b|\bdocs\b/;

/** The modules of tests that read pages. */
export const pageReaders = (paths) =>
  paths.filter(
    (path) => path.startsWith('test/') && MODULE.test(path) && READS_PAGES.test(readFileSync(path, 'utf8')),
  );

/** New files and those with another hash. */
const changedSince = (before, now) => Object.keys(now).filter((path) => before[path] !== now[path]);

/**
 * What decides what is linted: the changed modules, or `'all'` after a change of a setting. A rule about
 * types may also fail in a module that uses a changed one: `npm run lint` lints all.
 */
export function lintedFor(before, now) {
  if (!before) return 'all';
  const changed = changedSince(before, now).filter((path) => !PAGE.test(path));
  return changed.some((path) => SETTING.test(path)) ? 'all' : changed.filter((path) => MODULE.test(path));
}

/**
 * What decides which tests run: the changed modules, or `'all'`. After a change of a page, the modules that
 * read pages count as changed. All run if another file has changed that no import leads to: a fixture, a
 * setting, a module that is gone.
 */
export function testsFor(before, now, findPageReaders) {
  if (!before) return 'all';
  const gone = Object.keys(before).filter((path) => !(path in now));
  const changed = [...changedSince(before, now), ...gone];
  const others = changed.filter((path) => !PAGE.test(path));
  const isHidden = (path) => !(path in now) || !MODULE.test(path) || SETTING.test(path);
  if (others.some(isHidden)) return 'all';
  if (others.length === changed.length) return changed;
  return [...new Set([...others, ...findPageReaders(Object.keys(now))])];
}
