const { randomUUID } = require('node:crypto');
const {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} = require('node:fs');
const { dirname, join, resolve } = require('node:path');

const { sourceHash } = require('./source-hash.cjs');

const CHECKOUT_DIR = resolve(__dirname, '../..');
const PROGRAMS_DIR = join(CHECKOUT_DIR, '.quarterjack/cache/programs');
/** By the folder of a program: a change in any of them requires a new bundle. So does one of the packages. */
const SOURCES = { cli: ['cli', 'client', 'local/machine'], local: ['local'] };
const PACKAGES = 'package-lock.json';
/** Packages that are not JavaScript alone, or whose files are found by their names. */
const EXTERNAL = ['esbuild', 'uplot'];
/** The latest bundles are always kept. A run may read others, so they are kept for a day after their use. */
const KEPT = 6;
const KEPT_FOR_MS = 86_400_000;

/**
 * Bundles a program of this checkout, unless that has been done before. Node.js loads a bundle in half of the
 * time that it needs to translate and load the modules. It needs no second thread for it.
 */
exports.programFile = async function programFile(entry, onBuild = () => undefined) {
  // A package has it.
  const built = join(CHECKOUT_DIR, entry.replace(/\.ts$/, '.cjs'));
  if (existsSync(built)) return built;
  const directory = join(PROGRAMS_DIR, hashOf(entry));
  const file = join(directory, `${entry.replaceAll('/', '-').replace(/\.ts$/, '')}.cjs`);
  if (existsSync(file)) {
    const now = new Date();
    utimesSync(directory, now, now);
    return file;
  }
  onBuild();
  const code = await bundle(entry);
  mkdirSync(directory, { recursive: true });
  // Renamed into place: another run may be writing the same file now.
  const unfinished = `${file}.${randomUUID()}`;
  writeFileSync(unfinished, code);
  renameSync(unfinished, file);
  prune();
  return file;
};

/** How Node.js and esbuild name a package that is missing, or that is too old. */
const MISSING = [
  /^Cannot find module '([^'./][^']*)'/,
  /^Could not resolve "([^"./][^"]*)"/,
  /^No matching export in "(?:.*\/)?node_modules\/([^"]+)"/,
  /^The package "([^"]+)" could not be found/,
];

/**
 * What to print of an error of `programFile`. Packages that are missing or old are one command away. Any
 * other error has its stack trace. @param {Error & { errors?: { text: string }[] }} error @returns {string}
 */
exports.faultText = function faultText(error) {
  const texts = [error.message, ...(error.errors ?? []).map(({ text }) => text)];
  const found = texts.flatMap((text) => MISSING.map((pattern) => pattern.exec(text)?.[1] ?? []).flat());
  if (found.length === 0) return error.stack ?? error.message;
  const names = new Set(found.map((path) => /^(@[^/]+\/)?[^/]+/.exec(path)[0]));
  return `packages are missing, or not those of package-lock.json (${[...names].join(', ')}); run npm ci in ${CHECKOUT_DIR}`;
};

/** A bundle has the folder of the checkout in it. @param {string} entry @returns {string} */
function hashOf(entry) {
  const [folder] = entry.split('/');
  const sources = SOURCES[folder] ?? [...SOURCES.local, entry];
  return sourceHash(CHECKOUT_DIR, [PACKAGES, ...sources], CHECKOUT_DIR);
}

/** @param {string} entry */
async function bundle(entry) {
  // Loaded only here: a start that finds its bundle does not need it.
  const { build } = require('esbuild');
  const { outputFiles } = await build({
    entryPoints: [join(CHECKOUT_DIR, entry)],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    external: EXTERNAL,
    logLevel: 'silent',
    plugins: [{ name: 'folders', setup: keepFolders }],
  });
  return outputFiles[0].contents;
}

/** `__dirname` remains the folder of the source, beside which its other files are. */
function keepFolders(build) {
  build.onLoad({ filter: /[/\\](cli|local)[/\\].*\.(ts|cjs)$/ }, ({ path }) => {
    if (path.includes('node_modules')) return undefined;
    const folder = JSON.stringify(dirname(path));
    const contents = readFileSync(path, 'utf8').replaceAll(/\b__dirname\b/g, folder);
    return { contents, loader: path.endsWith('.ts') ? 'ts' : 'js' };
  });
}

function prune() {
  const byUse = readdirSync(PROGRAMS_DIR)
    .map((name) => join(PROGRAMS_DIR, name))
    // Another process may have removed it.
    .map((path) => ({ path, usedAtMs: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => b.usedAtMs - a.usedAtMs);
  for (const { path, usedAtMs } of byUse.slice(KEPT))
    if (usedAtMs < Date.now() - KEPT_FOR_MS) rmSync(path, { recursive: true, force: true });
}
