/**
 * What the rules would report and is right all the same. Each needs a reason. The lint fails where an exception
 * no longer applies to anything.
 *
 * An exception: `{ path, rule, found?, reason }`. `path` is a pattern for the file, `rule` the id of the rule, and
 * `found` a pattern for the text reported.
 */
export const EXCEPTIONS = [
  {
    path: /^scripts\/lint\/language\/(?:banned-terms|exceptions|terms\/\w+)\.mjs$/,
    rule: 'term',
    reason: 'the list of banned terms names them',
  },
  {
    path: /^test\/unit\/scripts\/language-lint/,
    rule: 'term',
    reason: 'the tests of the lint hold what it reports',
  },
  { path: /./, rule: 'term', found: /_local\/elsewhere/, reason: 'a public URL of the local run' },
  { path: /./, rule: 'term', found: /Quarterjack-Hop/i, reason: 'a public HTTP header' },
  { path: /./, rule: 'term', found: /^userSharePerSec$/, reason: 'a public configuration key' },
];
