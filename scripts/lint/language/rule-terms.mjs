/**
 * Rule `term`: no banned term in prose, names or paths. Rule `opening`: no fronted genitive opens a sentence.
 */
import { BANNED_TERMS } from './banned-terms.mjs';
import { sentencesOf } from './sentences.mjs';

const whole = (patterns) => `(?<![\\w'’-])(?:${patterns.join('|')})(?![\\w-]|['’](?!s\\b))`;
/** A space in a pattern matches any white space, an apostrophe its typographic form too. */
const lenient = (pattern) => pattern.replace(/'/g, "['’]").replace(/ /g, '\\s+');
const wholeWords = (patterns) => new RegExp(`(?<![a-z0-9])(?:${patterns.join('|')})(?![a-z0-9])`);

const TERMS = BANNED_TERMS.map((term) => ({
  ...term,
  prosePattern: term.prose && new RegExp(whole(term.prose.map(lenient)), 'gi'),
  namePattern: term.names && wholeWords(term.names),
}));
const PROSE_TERMS = TERMS.filter((term) => term.prosePattern);
/** One pass over a passage tells whether any term is in it. */
const ANY_PROSE = new RegExp(whole(PROSE_TERMS.flatMap((term) => term.prose.map(lenient))), 'i');

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
        term: term.id,
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

/** Two terms of one id are one finding. */
const termsInName = (path, name, place) =>
  termsOfName(name)
    .filter((term) => appliesTo(term, path, place))
    .filter((term, index, all) => all.findIndex(({ id }) => id === term.id) === index)
    .map((term) => ({ rule: 'term', term: term.id, found: name, message: `\`${name}\` → ${term.say}` }));

const KNOWN_NAMES = new Map();

/** Most names are used in many files: each is looked up once. */
function termsOfName(name) {
  let terms = KNOWN_NAMES.get(name);
  if (!terms) {
    const words = wordsOf(name);
    terms = TERMS.filter(({ exact, namePattern }) => exact?.includes(name) || namePattern?.test(words));
    KNOWN_NAMES.set(name, terms);
  }
  return terms;
}

const appliesTo = (term, path, place) =>
  (!term.only || term.only.includes(place)) && (!term.paths || term.paths.test(path));

/** `lookAtEntry`, `LOOK_AT` and `look-at.ts` become lower-case words with a space between. */
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
