/** Runs every rule over files and leaves out what is excepted. */
import { EXCEPTIONS } from './exceptions.mjs';
import { inOrder } from './files.mjs';
import { readFile } from './read-file.mjs';
import { checkExports } from './rule-exports.mjs';
import { checkSentences } from './rule-sentences.mjs';
import { checkSizes } from './rule-sizes.mjs';
import { checkOpenings, checkTerms } from './rule-terms.mjs';
import { checkCells, checkWidths } from './rule-widths.mjs';

const RULES = [checkTerms, checkOpenings, checkSentences, checkWidths, checkCells, checkSizes];

/**
 * @param sources `[path, text]` of each file, paths relative to the root of the checkout
 * @param options `isSelected(path)`: whether findings in a file are wanted; the other files only count for
 *   the rule `export`. `exceptions`: see exceptions.mjs.
 * @returns `{ findings, unused }`: `{ path, line, rule, found, message }` in order of path and line, and the
 *   exceptions that applied to nothing
 */
export function checkSources(sources, { isSelected = () => true, exceptions = EXCEPTIONS } = {}) {
  const all = [];
  for (const [path, text] of sources) {
    if (!isSelected(path)) continue;
    const file = readFile(path, text);
    for (const rule of RULES) for (const finding of rule(file)) all.push({ path, ...finding });
  }
  all.push(...checkExports(sources).filter(({ path }) => isSelected(path)));
  const used = new Set();
  const findings = all.filter((finding) => {
    const exception = exceptions.find((one) => excepts(one, finding));
    if (exception) used.add(exception);
    return !exception;
  });
  findings.sort((one, other) => inOrder(one.path, other.path) || one.line - other.line);
  return { findings, unused: exceptions.filter((one) => !used.has(one)) };
}

const excepts = ({ path, rules, found }, finding) =>
  rules.includes(finding.rule) && path.test(finding.path) && (!found || found.test(finding.found));
