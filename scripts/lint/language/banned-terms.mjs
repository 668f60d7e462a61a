/**
 * Words that this project does not use, and what it says instead. The glossary in lambdas/README.md explains the
 * words on the right.
 *
 * A term: `{ id, say, prose?, names?, exact?, paths?, only? }`
 *   prose   pattern for comments, docs and strings with spaces; matches whole words in any case, and a space in it
 *           matches any white space
 *   names   pattern for the words of a name in lower case: `lookAtEntry` is read as `look at entry`; applies to
 *           identifiers, inline code, strings without spaces and file names; matches whole words
 *   exact   names as they are written, for words that are coined only as a type or function of that name
 *   paths   only in files whose path matches
 *   only    only in these places: `comment`, `doc`, `string`, `name`, `word`, `code`, `path`
 */
const DETERMINER = "(?:a|an|the|this|that|its|their|each|every|no|one|whose|\\w+'s)";

export const BANNED_TERMS = [
  // The sweeper.
  {
    id: 'look',
    say: 'recheck, or "read"',
    prose: `(?:second|third|first|next|last|late|later|early|earlier|further|new|due) looks?|looks? again|look(?:s|ed|ing) again|look(?:s|ed|ing)? at|look(?:s|ed)? after|${DETERMINER} looks?(?! (?:like|up|for|at|to))|looks filed`,
    names: 'looks?|looked|looking',
  },
  { id: 'glance', say: 'status read', prose: 'glanc(?:e|es|ed|ing)', names: 'glanc(?:e|es|ed|ing)' },
  { id: 'take over from whom', say: 'lost work', prose: 'what got lost|what (?:is|was|has been) lost' },
  { id: 'late work', say: 'late work', prose: '(?:what|whatever) comes (?:too )?late' },

  // History.
  { id: 'stretch', say: 'skipped range', prose: 'stretch(?:es|ed)?', names: 'stretch(?:es|ed)?' },
  {
    id: 'accounted for',
    say: 'covered by',
    prose: 'account(?:s|ed|ing)? for|unaccounted',
    names: 'accounted|accounts',
  },
  { id: 'stands for', say: 'covers', prose: '(?:stand|stands|stood|standing) for', names: 'stands? for' },
  { id: 'reach', say: 'coverage', prose: `(?:${DETERMINER}) reach(?: of)?(?! it)|reach of`, names: 'reach' },

  // Ordering.
  {
    id: 'line',
    say: 'ordering queue',
    prose:
      "(?:in|into|out of) line(?! with)|(?:head|end|front|place|places|turn|turns|back) (?:of|in) (?:the|a|an|its|their|that|this) line|(?:join|joins|joined|joining|leave|leaves|left|leaving|nudge|nudges|nudged) (?:the|a|its|that|this) line|(?:the|a|its) line of (?:a|an|the|its|their|one) (?:ordering )?keys?|ordering lines?|key's line|lines? of (?:ordering )?keys?|(?:stands?|waits?) in (?:the|a|its) line",
    names:
      'in line|line stores?|ordering lines?|(?:join|leave|nudge|standing in) line|lines store|line of key',
  },
  {
    id: 'place',
    say: 'ticket (in an ordering queue)',
    prose:
      'places? in (?:the|a|its|their|that|each) (?:line|key|queue|order)|(?:takes?|took|taken|puts?|gets?|got|keeps?|has|loses?|lost|frees?|freed|leaves?) (?:its|their|a) place(?! of)',
    names: 'places?(?! holder)',
  },
  {
    id: 'turn',
    say: 'holds / acquires the ordering key',
    prose: "(?:its|their|whose|next|his|a|the|'s) turn|takes? turns|turn comes|turns come",
    names: 'take turns?|turns?(?! (?:on|off|into|around))|in turn',
  },
  { id: 'nudge', say: 'resend', prose: 'nudg(?:e|es|ed|ing)', names: 'nudg(?:e|es|ed|ing)' },

  // Overlap.
  {
    id: 'hold',
    say: 'overlap lock, acquire, release',
    prose:
      "(?:a|the|this|that|its|each|no|whose|stale|free|job's) hold(?! on to)(?!-)|hold (?:row|store)s?|holds? (?:of|on) (?:a|the|its|that|this|each|every) jobs?|holds (?:and|or) (?:places|lines|waiters)",
    names: 'hold|holds(?! (?:records?|lease|ordering|key))|hold (?:store|row|lease)s?',
  },
  {
    id: 'take the job',
    say: 'acquire / release the overlap lock',
    prose:
      '(?:takes?|took|taken|taking|frees?|freed|freeing|occup(?:y|ies|ied)) (?:the|a|its|that|this|his) job|job is (?:free|freed|taken)',
    names: '(?:take|free|leave) job|job taken|job freed',
  },
  {
    id: 'occupy',
    say: 'hold the overlap lock',
    prose: '(?:job|it) (?:is|was|are) occupied|occupied jobs?',
  },

  // Leases.
  { id: 'held', say: 'lease handle', names: 'held|held lease', exact: ['Held', 'HeldLease', 'holdLease'] },
  {
    id: 'hand over',
    say: 'delegate the lease',
    prose: 'hand(?:s|ed|ing)?(?: (?:it|them|this|that|the lease|a lease|its lease))? over|handover',
    names: 'hand(?:ed|s|ing)? over|handover',
  },
  { id: 'beat', say: 'heartbeat', prose: '(?<!heart)beats?|beating', names: 'beats?|beaten|beating' },

  // Gates.
  {
    id: 'make way',
    say: 'release (gates), wake the next',
    prose: '(?:make|makes|made|making|give|gives|gave|giving) way',
    names: '(?:make|made|makes|give|gives) way',
  },
  { id: 'pass on', say: 'wake the next', names: 'pass(?:ed)? on' },

  // Outcomes.
  {
    id: 'conclude',
    say: 'settle, outcome',
    prose: 'conclu(?:de|des|ded|ding|sion|sions)',
    names: 'conclu(?:de|des|ded|ding|sion)',
  },
  {
    id: 'come to',
    say: 'end as, succeed, cost',
    prose: '(?:come|comes|came|coming) to(?! (?:be|an end|light))|(?:come|comes|came) off',
    names: '(?:came|comes|come) to',
  },
  {
    id: 'answer of a target',
    say: 'target result',
    prose:
      "(?:target's|targets') answers?|answers? of (?:a|the|its|that|each|every|one|several) targets?|target answers?(?= (?:is|was|has|of|that))",
    exact: ['Answer', 'TargetAnswer'],
    names: 'target answers?',
  },
  { id: 'verdict', say: 'eligibility', prose: 'verdicts?', names: 'verdicts?' },
  {
    id: 'judge',
    say: 'check',
    prose: 'judg(?:e|es|ed|ing|ement|ements|ment|ments)',
    names: 'judg(?:e|es|ed|ing|ement|ment)',
  },
  {
    id: 'refused (URL)',
    say: 'rejected',
    prose: 'refused (?:URLs?|addresses|names?)|(?:URLs?|address|addresses) (?:is|are|was|were) refused',
  },
  { id: 'gravity', say: 'severity', names: 'gravity' },

  // Entries.
  {
    id: 'standing',
    say: 'validity (current, outdated, unknown)',
    prose: '(?<!long-)standing(?! (?:in for|by|for|still|orders?))(?! in line)',
    names: 'standings?',
  },
  {
    id: 'chain',
    say: 'series of entries, next entry',
    prose: '(?<!promise |certificate |call |middleware |credential |provider )chain(?:s|ed)?',
    names: 'chain(?:s|ed)?',
  },
  {
    id: 'head',
    say: 'first pending entry',
    prose: '(?:at|to) the head(?! of the queue)',
    names: 'has head|head of',
  },
  { id: "scanner's step", say: 'dispatch ahead', prose: "scanner's step" },
  {
    id: 'set aside',
    say: 'quarantined',
    prose: '(?:set|sets|setting) (?:it |them |that |this )?aside',
    names: 'set aside',
  },

  // Shards.
  {
    id: 'quiet',
    say: 'idle shard',
    prose:
      'quiet(?:ly)? (?:shards?|buckets?|pass(?:es)?|minutes?|rows?|ones?|run)|(?:pass|passed|is|are|was|were|stays?) quiet',
    names: 'quiet',
  },
  { id: 'busy', say: 'entries in the last bucket', exact: ['busy'], names: 'busy (?:of|count)' },
  { id: 'in force', say: 'active', prose: 'in force', names: 'in force' },
  { id: 'in step', say: 'phase-aligned', prose: 'in step(?! with \\d)', names: 'in step' },

  // Helpers.
  { id: 'remembered', say: 'cached', prose: 'remembered', names: 'remembered' },
  { id: 'on first use', say: 'lazy', prose: '(?:on|at|with) first use', names: 'on first use' },
  { id: 'time left', say: 'time budget', prose: 'time (?:that is )?left', names: 'time left' },
  { id: 'chance', say: 'random', prose: 'chances?(?! (?:to|of|that|for))', names: 'chance' },
  { id: 'revive', say: 'user retry', prose: 'reviv(?:e|es|ed|ing|al|als)', names: 'reviv(?:e|es|ed|al|als)' },
  { id: 'transient', say: 'retryable', prose: 'transient(?:ly)?', names: 'transient' },
  { id: 'on english', say: 'zod locale', names: '^english$', only: ['path'] },

  // Deployment.
  {
    id: 'stopped',
    say: 'maintenance mode',
    prose:
      '(?:a|the|this|that) stopped deployment|deployment (?:is|was|that is) stopped|stop row|held back|holds? (?:it|them|back) back|hold(?:s|ing)? back',
    names: 'held back|hold back|stop row|stop rows|is held',
  },
  {
    id: 'share',
    say: 'per-user rate limit',
    prose:
      "fair(?:-| )shares?|(?:its|their|his|a user's|user's|users'|one's|per-user|that|the) shares?(?! (?:a|the|one|of the (?:code|tables)))|share of (?:a|the|each|its|one|every) users?|shares of users|beyond (?:its|their|the) share",
    names: 'fair shares?|shares? of users?|user shares?',
  },

  // API and store.
  { id: 'place of ARN', say: 'region and account', exact: ['placeOf'] },
  {
    id: 'note a report',
    say: 'append a report',
    prose: 'not(?:e|es|ed|ing) (?:a|the|its|this|that) report',
    names: 'note report',
  },
  {
    id: 'keep late',
    say: 'append a late result',
    prose: '(?:keep|keeps|kept) late',
    names: '(?:keep|keeps|kept) late',
  },
  { id: 'leave running', say: 'end running', names: 'leave running' },
  {
    id: 'ask to cancel',
    say: 'request cancellation',
    prose:
      '(?:ask|asks|asked|asking) (?:it )?to (?:cancel|end)|cancel(?:lation)?(?: is| was|-)?(?: |-)?asked(?: for)?',
    names: '(?:ask|asks|asked) to (?:cancel|end)|cancel asked|asked to (?:end|cancel)',
  },
  {
    id: 'announce',
    say: 'publish',
    prose: 'announc(?:e|es|ed|ing|ement|ements)',
    names: 'announc(?:e|es|ed|ing|ement)',
  },
  {
    id: 'told',
    say: 'published, reported by',
    prose: '(?:is |are |was |were |be |been )?told (?:by|to|of|from|apart by)|told to nobody',
    names: 'told to nobody|told',
  },
  { id: 'telling', say: 'publishing', names: 'telling', paths: /^lib\// },
  { id: 'instruments', say: 'observability', prose: 'instruments?', names: 'instruments?' },
  {
    id: 'acknowledged (stamp)',
    say: 'write deadline',
    exact: ['takeStamp', 'Stamp', 'acknowledged'],
    prose: "write's stamp|takes? (?:a|the|its) stamp|(?:a|the|its) stamp(?! of)",
    names: 'take stamp',
  },
  { id: 'outlook', say: 'derived job status', prose: 'outlooks?', names: 'outlooks?' },
  { id: 'hop', say: 'delivery depth', prose: '(?<!Quarterjack-)hops?', names: 'hops?' },
  {
    id: 'mark',
    say: 'idempotency stamp',
    prose: "(?:idempotency|request's|key's) marks?|marks? of (?:a|the|its) (?:request|key)",
    exact: ['Mark', 'markOf', 'mark'],
  },
  { id: 'bears', say: 'has, carries', prose: 'bears|bore|borne|bearing', names: 'bears' },
  { id: 'as listed', say: 'merge skipped ranges', names: 'as listed' },
  {
    id: 'error names',
    say: 'IncompleteReadError / WriteTimeoutError / SendError / ProblemError / BlockedTargetError',
    exact: ['Unanswered', 'NotAcknowledged', 'NotSent', 'BlockedTarget', 'Unreadable'],
  },
  {
    id: 'leave (to do something)',
    say: 'permission',
    prose:
      'leave (?:to|for) (?:read|write|call|send|do|use|assume|invoke|put|get|delete|start|publish|create|change|see|list|encrypt|decrypt|it|them|that|one|every|each|this|what)|(?:has|have|had|need|needs|needed|gets?|gives?|given|gave|without|no) leave|leave on',
    names: 'leave (?:to|for)',
  },

  // Bench, simulation, local run.
  { id: 'plant', say: 'metered deployment', prose: 'plants?', names: 'plants?', paths: /^(?:bench|docs)\// },
  { id: 'tally', say: 'usage', prose: 'tall(?:y|ies|ied)', names: 'tall(?:y|ies|ied)' },
  { id: 'bench cases', say: 'scenarios', names: 'cases', only: ['path'], paths: /^bench\/cost\// },
  { id: 'lesion', say: 'fault', prose: 'lesions?', names: 'lesions?' },
  { id: 'suffer', say: 'apply', prose: 'suffer(?:s|ed|ing)?', names: 'suffer(?:s|ed)?' },
  { id: 'mourners', say: 'onDeath listeners', prose: 'mourn(?:er|ers|s|ed)?', names: 'mourn(?:er|ers)?' },
  { id: 'elsewhere', say: 'external resources', names: 'elsewhere' },
  { id: 'guarded', say: 'authorized', names: 'guarded', paths: /^(?:local|test)\// },
  { id: 'tapped', say: 'write observer', prose: 'tapped', names: 'tapped|tap' },
  { id: 'checkout', say: 'paths', names: '^checkout$|checkout dir', paths: /^local\// },
  { id: 'stopping', say: 'shutdown stack', exact: ['Stopping'], names: '^stopping$', paths: /^local\// },

  // Pronouns for components.
  {
    id: 'whoever',
    say: 'the name of the component',
    prose: "who(?:ever|mever|soever)(?:'s)?",
    names: 'whoever',
  },
  {
    id: 'somebody',
    say: 'the name of the component',
    prose: "(?:some|any|every)body(?:'s|'s)?(?: else(?:'s)?)?|someone(?:'s)?(?: else(?:'s)?)?",
    names: 'somebody|anybody|everybody',
  },
  { id: 'nobody', say: 'the name of the component, or "no …"', prose: "nobody(?:'s)?", names: 'nobody' },
  { id: "one's own", say: 'the name of the component, "its"', prose: "one's(?: own)?|oneself" },
  {
    id: 'others',
    say: 'the name of the component',
    prose:
      "others (?:may|might|can|could|will|would|do|did|does|have|had|are|were|go|went|take|took|read|write|wrote|see|saw|find|found|must|need|use)|(?:left|leave|leaves|belongs?|known|given) to others|by others|(?<=[.] )Others(?='| )",
  },
  {
    id: 'thereof',
    say: 'of it, of them',
    prose: '(?:there|here|where)(?:of|with|upon|by|in|to|from|after)(?![\\w-])',
  },
];
