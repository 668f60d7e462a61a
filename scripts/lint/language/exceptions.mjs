/**
 * What the rules would report and is right all the same. Each exception needs a reason. A run over the whole
 * tree fails where an exception applies to nothing any more.
 *
 * An exception: `{ path, rules, found?, reason }`. `path` is a pattern for the file, `rules` are the ids of
 * rules, and `found` is a pattern for the text reported. Without `found`, everything that these rules report
 * is excepted.
 */
export const EXCEPTIONS = [
  {
    path: /^scripts\/lint\/language\/terms\/\w+\.mjs$/,
    rules: ['term'],
    reason: 'the lists of banned terms name them',
  },
  {
    path: /^scripts\/lint\/language\/(?:banned-terms|rule-terms)\.mjs$/,
    rules: ['term'],
    found: /^(?:lookAtEntry|LOOK_AT|look-at\.ts|look)$/,
    reason: 'examples of names',
  },
  {
    path: /^test\/unit\/scripts\/language-lint/,
    rules: ['term', 'opening'],
    reason: 'the tests of the lint hold what it reports',
  },
  {
    path: /^(?:test\/simulation\/profiles\/profiles\.ts|docs\/(?:reliability|lab\/simulation)\.md)$/,
    rules: ['term'],
    found: /^chain$/,
    reason: 'a public option of the command line',
  },
  { path: /./, rules: ['term'], found: /Quarterjack-Hop/i, reason: 'a public HTTP header' },
  { path: /./, rules: ['term'], found: /_local\/elsewhere/, reason: 'a public URL of the local run' },
  {
    path: /^test\/support\/(?:fuzz|state-machines)\//,
    rules: ['term'],
    found: /^chain$/,
    reason: "fast-check's own method",
  },
  {
    path: /^lambdas\/core\/(is-retryable|platform\/calls\/retries)\.ts$/,
    rules: ['term'],
    found: /^(isTransientError|TRANSIENT)$/,
    reason: "the SDK's own function",
  },
  {
    path: /./,
    rules: ['term'],
    found: /^(?:verdicts?|verdictOf|holds)$/i,
    reason: 'public fields of explanations, in the API and its clients',
  },
  { path: /./, rules: ['term'], found: /^userSharePerSec$/, reason: 'a public configuration key' },
];
