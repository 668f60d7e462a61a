const { readFileSync } = require('node:fs');
const { resolve } = require('node:path');

const swc = require('@swc/jest');

/** The file that has the fault, and the file with its faulty source. Without them nothing is changed. */
const { QUARTERJACK_MUTATED: mutated, QUARTERJACK_MUTANT: source } = process.env;
const mutatedPath = mutated && resolve(__dirname, '../..', mutated);
const sourceOf = (text, path) => (path === mutatedPath ? readFileSync(source, 'utf8') : text);

/** Jest's usual transformer, with the source of one file replaced. The cache key follows the source. */
module.exports = {
  createTransformer(options) {
    const usual = swc.createTransformer(options);
    return {
      process: (text, path, how) => usual.process(sourceOf(text, path), path, how),
      getCacheKey: (text, path, how) => usual.getCacheKey(sourceOf(text, path), path, how),
    };
  },
};
