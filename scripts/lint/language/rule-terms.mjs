/** Rule `term`: no banned term in prose, names or paths. Rule `opening`: no fronted genitive opens a sentence. */
import { BANNED_TERMS } from './banned-terms.mjs';
import { sentencesOf } from './sentences.mjs';

const whole = (pattern) => `(?<![\\w'’-])(?:${pattern})(?![\\w-]|'(?!s\\b))`;
const spaced = (pattern) => pattern.replace(/'/g, "['’]").replace(/(?<!\[) /g, '\\s+');
const anyOf = (patterns, flags) => new RegExp(patterns.map((one) => `(?:${one})`).join('|'), flags);

const TERMS = BANNED_TERMS.map((term) => ({
  ...term,
  prosePattern: term.prose && new RegExp(whole(spaced(term.prose)), 'giu'),
  namePattern: term.names && new RegExp(`(?<![a-z0-9])(?:${term.names})(?![a-z0-9])`),
}));
const PROSE_TERMS = TERMS.filter((term) => term.prosePattern);
const ANY_PROSE = anyOf(
  PROSE_TERMS.map((term) => term.prosePattern.source),
  'iu',
);

/** Places that a passage of each kind belongs to. */
const PLACE = { comment: 'comment', doc: 'doc', cell: 'doc', diagram: 'doc', string: 'string' };

export function checkTerms(file) {
  return [...inPassages(file), ...inNames(file), ...inPath(file)];
}

function inPassages(file) {
  const findings = [];
  for (const passage of file.passages) {
    for (const found of termsInProse(file.path, passage)) findings.push(found);
    if (passage.kind === 'diagram') continue;
    for (const span of passage.codeSpans)
      for (const name of span.text.match(/[\w./-]+/g) ?? [])
        for (const found of termsInName(file.path, name, 'code'))
          findings.push({ ...found, line: passage.lineAt(span.offset) });
  }
  return findings;
}

function termsInProse(path, passage) {
  if (!ANY_PROSE.test(passage.masked)) return [];
  const findings = [];
  for (const term of PROSE_TERMS) {
    if (!appliesTo(term, path, PLACE[passage.kind])) continue;
    for (const match of passage.masked.matchAll(term.prosePattern))
      findings.push({
        rule: 'term',
        line: passage.lineAt(match.index),
        found: match[0].replace(/\s+/g, ' '),
        message: `"${match[0].replace(/\s+/g, ' ')}" → ${term.say}`,
      });
  }
  return findings;
}

/** A name is reported once for each file, where it appears first, with the number of its uses. */
function inNames(file) {
  const findings = [];
  const seen = new Map();
  const places = [
    ['name', file.names],
    ['word', file.words],
  ];
  for (const [place, tokens] of places)
    for (const { text, line } of tokens) {
      const known = seen.get(text);
      if (known) for (const finding of known) finding.uses++;
      else {
        const found = termsInName(file.path, text, place).map((one) => ({ ...one, line, uses: 1 }));
        seen.set(text, found);
        findings.push(...found);
      }
    }
  return findings.map(({ uses, ...finding }) => ({
    ...finding,
    message: uses > 1 ? `${finding.message} (${uses} uses)` : finding.message,
  }));
}

/** Folders above a file are reported with each of their files: one move mends them all. */
const inPath = ({ path }) =>
  path.split('/').flatMap((part) =>
    termsInName(path, part.replace(/\.[a-z.]+$/, ''), 'path').map((one) => ({
      ...one,
      line: 1,
      message: `file name ${one.message}`,
    })),
  );

function termsInName(path, name, place) {
  const words = wordsOf(name);
  const findings = [];
  for (const term of TERMS) {
    const isFound = term.exact?.includes(name) || term.namePattern?.test(words);
    if (isFound && appliesTo(term, path, place))
      findings.push({ rule: 'term', found: name, message: `\`${name}\` → ${term.say}` });
  }
  return findings;
}

const appliesTo = (term, path, place) =>
  (!term.only || term.only.includes(place)) && (!term.paths || term.paths.test(path));

/** `lookAtEntry`, `LOOK_AT`, `look-at.ts` and `URLLook` become lower-case words with a space between. */
export const wordsOf = (name) =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replace(/[^A-Za-z\d]+/g, ' ')
    .trim()
    .toLowerCase();

const FRONTED =
  /^["'“‘(]*Of (?:what|which|the|this|that|these|those|a|an|one|two|three|several|all|each|every|any|its|their)\b/;

export function checkOpenings(file) {
  const findings = [];
  for (const passage of file.passages) {
    if (passage.kind === 'diagram') continue;
    for (const { text, offset } of sentencesOf(passage.masked)) {
      const match = FRONTED.exec(text);
      if (!match) continue;
      findings.push({
        rule: 'opening',
        line: passage.lineAt(offset),
        found: match[0],
        message: `"${match[0]} …" opens a sentence → begin with the subject`,
      });
    }
  }
  return findings;
}
