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
 * @param isSelected whether findings in a file are wanted; the other files only count for the rule `export`
 * @returns findings `{ path, line, rule, found, message }` in order of path and line
 */
export function checkSources(sources, isSelected = () => true, exceptions = EXCEPTIONS) {
  const findings = [];
  for (const [path, text] of sources) {
    if (!isSelected(path)) continue;
    const file = readFile(path, text);
    for (const rule of RULES) for (const finding of rule(file)) findings.push({ path, ...finding });
  }
  findings.push(...checkExports(sources).filter(({ path }) => isSelected(path)));
  return findings
    .filter((finding) => !exceptions.some((one) => excepts(one, finding)))
    .sort((one, other) => compare(one.path, other.path) || one.line - other.line);
}

const compare = (one, other) => (one < other ? -1 : one > other ? 1 : 0);

const excepts = ({ path, rule, found }, finding) =>
  rule === finding.rule && path.test(finding.path) && (!found || found.test(finding.found));
