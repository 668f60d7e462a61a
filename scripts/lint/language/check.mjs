/** Runs every rule over files and leaves out what is excepted. */
import { EXCEPTIONS } from './exceptions.mjs';
import { readFile } from './read-file.mjs';
import { checkExports } from './rule-exports.mjs';
import { checkSentences } from './rule-sentences.mjs';
import { checkOpenings, checkTerms } from './rule-terms.mjs';
import { checkCells, checkWidths } from './rule-widths.mjs';

const RULES = [checkTerms, checkOpenings, checkSentences, checkWidths, checkCells];

/**
 * @param sources `[path, text]` of each file, paths relative to the root of the checkout
 * @returns findings `{ path, line, rule, found, message }` in order of path and line
 */
export function checkSources(sources, exceptions = EXCEPTIONS) {
  const files = sources.map(([path, text]) => readFile(path, text));
  const all = files.flatMap((file) =>
    RULES.flatMap((rule) => rule(file).map((finding) => ({ path: file.path, ...finding }))),
  );
  return [...all, ...checkExports(files)]
    .filter((finding) => !exceptions.some((one) => excepts(one, finding)))
    .sort((one, other) => compare(one.path, other.path) || one.line - other.line);
}

const compare = (one, other) => (one < other ? -1 : one > other ? 1 : 0);

const excepts = ({ path, rule, found }, finding) =>
  rule === finding.rule && path.test(finding.path) && (!found || found.test(finding.found));
