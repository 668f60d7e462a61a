/** Which files are linted, and how each is read. */
import { execFileSync } from 'node:child_process';
import { relative, resolve } from 'node:path';

/** Generated, recorded or not ours. The sources of generated files are linted instead. */
const EXCLUDED = [
  /^LICENSE$/,
  /(?:^|\/)package-lock\.json$/,
  /^docs\/api\.md$/,
  /^client\/schema\.d\.ts$/,
  /^test\/fixtures\//,
  /^test\/simulation\/found\//,
  /^test\/support\/local\/assembly\//,
];

const KINDS = [
  ['code', /\.(?:[cm]?[jt]s|tsx)$|^\.ox(?:lint|fmt)rc\.json$/],
  ['doc', /\.md$/],
  ['css', /\.css$/],
  ['html', /\.html$/],
  ['hash', /\.(?:ya?ml|sh|npmrc|gitignore|editorconfig)$|^\.ci\/run$/],
];

/** @returns `code`, `doc`, `css`, `html`, `hash`, or undefined for a file that is not linted */
export function kindOf(path) {
  if (EXCLUDED.some((pattern) => pattern.test(path))) return undefined;
  return KINDS.find(([, pattern]) => pattern.test(path))?.[0];
}

/** For `sort`: by code unit, the same on every machine. */
export const inOrder = (one, other) => (one < other ? -1 : one > other ? 1 : 0);

const git = (args, cwd) => execFileSync('git', args, { cwd, encoding: 'utf8', maxBuffer: 1 << 26 });

export const rootOf = (cwd) => git(['rev-parse', '--show-toplevel'], cwd).trim();

/** Files of the checkout that are tracked, or new and not ignored; paths are relative to its root. */
export function filesOf(root) {
  const listed = git(['ls-files', '-z', '--cached', '--others', '--exclude-standard'], root);
  const deleted = new Set(git(['ls-files', '-z', '--deleted'], root).split('\0'));
  return [...new Set(listed.split('\0'))]
    .filter((path) => path && !deleted.has(path) && kindOf(path))
    .sort(inOrder);
}

/** A test for paths of the root: whether one of the arguments names the file or a folder above it. */
export function selection(root, cwd, args) {
  const wanted = args.map((arg) => relative(root, resolve(cwd, arg)).split('\\').join('/'));
  return (path) =>
    wanted.length === 0 || wanted.some((one) => one === '' || path === one || path.startsWith(`${one}/`));
}
