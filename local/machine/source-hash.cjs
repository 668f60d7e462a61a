const { createHash } = require('node:crypto');
const { readdirSync, readFileSync, statSync } = require('node:fs');
const { join } = require('node:path');

/** @param {string} root @param {readonly string[]} paths @param {string} also @returns {string} */
exports.sourceHash = function sourceHash(root, paths, also = '') {
  const hash = createHash('sha256').update(`${process.version}\0${also}`);
  /** @param {string} path */
  const add = (path) => {
    const full = join(root, path);
    if (statSync(full).isDirectory()) for (const name of sourcesIn(full)) add(join(path, name));
    else hash.update(`\0${path}\0`).update(readFileSync(full));
  };
  for (const path of paths) add(path);
  return hash.digest('hex').slice(0, 32);
};

/** Installed packages are no sources: those of the generator of types alone are 45 MB. */
const sourcesIn = (folder) =>
  readdirSync(folder)
    .filter((name) => name !== 'node_modules')
    .sort();
