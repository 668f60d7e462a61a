/** Terms of the API, the platform, the local run, benchmarks and the simulation. */
const IN_API = /^(?:lambdas|test\/unit)\/api\//;

export const API_AND_PLATFORM = [
  {
    id: 'place of ARN',
    say: 'regionAndAccountOf',
    exact: ['placeOf'],
    paths: /^(?:lambdas|test\/unit)\/(?:core\/(?:targets|delivery)|executor)\//,
  },
  {
    id: 'announce',
    say: 'publish',
    prose: ['announc(?:es?|ed|ing|ements?)'],
    names: ['announc(?:es?|ed|ing)'],
  },
  {
    id: 'told',
    say: 'published; notified; recognized by',
    prose: ['told (?:by|of)|told to nobody'],
    names: ['told to nobody|checked told|told'],
  },
  { id: 'telling', say: 'publishing', exact: ['telling'] },
  { id: 'instruments', say: 'observability', prose: ['instruments?'], names: ['instruments?'] },
  { id: 'acknowledged', say: 'withinDeadline', exact: ['acknowledged'], paths: IN_API },
  {
    id: 'stamp',
    say: 'write deadline',
    prose: ["(?:takes?|write's|within the|within its) stamp"],
    exact: ['takeStamp', 'Stamp'],
  },
  { id: 'outlook', say: 'derived job status', prose: ['outlooks?'], names: ['outlooks?'] },
  { id: 'hop', say: 'delivery depth', prose: ['(?<!Quarterjack-)hops?'], names: ['hops?'] },
  {
    id: 'mark',
    say: 'idempotency stamp',
    prose: ["(?:idempotency|request's|key's) marks?"],
    exact: ['markOf', 'mark', 'IdempotencyMark'],
    paths: IN_API,
  },
  { id: 'bears', say: 'has; carries', prose: ['bears|bore|borne'], names: ['bears'] },
  { id: 'as listed', say: 'merge skipped ranges', names: ['as listed'] },
  {
    id: 'error names',
    say: 'IncompleteReadError / WriteTimeoutError / SendError / BlockedTargetError',
    exact: ['Unanswered', 'NotAcknowledged', 'NotSent', 'BlockedTarget'],
  },
  { id: 'Problem', say: 'ProblemError', exact: ['Problem'], only: ['name'], paths: IN_API },
  { id: 'english', say: 'zod-locale', names: ['^english$'], only: ['path'] },
  { id: 'remembered', say: 'cached', prose: ['remembered'], names: ['remembered'] },
  { id: 'on first use', say: 'lazy', prose: ['(?:on|at|with) first use'], names: ['on first use'] },
  { id: 'time left', say: 'time budget', prose: ['time (?:that is )?left'], names: ['time left'] },
  { id: 'chance', say: 'random', prose: ['chances?(?! (?:to|of|that|for))'], names: ['chance'] },
  {
    id: 'leave',
    say: 'permission',
    prose: [
      'leave to (?!the|an?|it|its|others|chance)\\w+|leave for (?:each|every|it|what)',
      '(?<!to |will |would |may |not |can )(?:has|have|had|needs?|gets?|gives?|given|gave|without|no) leave|leave on',
    ],
    names: ['leave for'],
  },
];

export const TOOLS = [
  {
    id: 'plant',
    say: 'metered deployment',
    prose: ['plants?'],
    names: ['plants?'],
    paths: /^(?:bench|docs)\//,
  },
  { id: 'tally', say: 'usage', prose: ['tall(?:y|ies|ied)'], names: ['tall(?:y|ies|ied)'] },
  { id: 'cases', say: 'scenarios', names: ['^cases$'], only: ['path'], paths: /^bench\/cost\// },
  { id: 'lesion', say: 'fault', prose: ['lesions?'], names: ['lesions?'] },
  { id: 'suffer', say: 'apply', prose: ['suffer(?:s|ed|ing)?'], names: ['suffer(?:s|ed)?'] },
  { id: 'mourn', say: 'onDeath listeners', prose: ['mourn(?:ers?|s|ed)?'], names: ['mourn(?:ers?)?'] },
  { id: 'elsewhere', say: 'external resources', exact: ['Elsewhere', 'ElsewhereDeps'] },
  { id: 'elsewhere', say: 'external resources', names: ['elsewhere'], paths: /^local\// },
  { id: 'guarded', say: 'authorized', names: ['guarded'], paths: /^local\// },
  { id: 'tapped', say: 'write observer', prose: ['tapped'], names: ['tapped|tap'] },
  { id: 'checkout', say: 'paths', names: ['^checkout$'], only: ['path'], paths: /^local\// },
  { id: 'stopping', say: 'shutdown stack', exact: ['Stopping'] },
  { id: 'stopping', say: 'shutdown stack', names: ['^stopping$'], only: ['path'] },
];
