/** Terms of ordering, overlap, leases and outcomes. */
const IN_LAMBDAS =
  /^(?:lambdas|test\/(?:conformance|integration\/pipeline|simulation|support|unit\/(?:api|core|executor|scanner|sweeper)))\//;

export const ORDERING = [
  {
    id: 'line',
    say: 'ordering queue',
    prose: [
      '(?:in|into|out of) line(?! with)',
      '(?:head|end|front|places?|back) (?:of|in) (?:the|a|an|its|their|that|this) line',
      '(?:join|leav|nudg|stand|wait)(?:e|es|s|ed|ing)? (?:in )?(?:the|a|its|that|this) line',
      "lines? of (?:(?:a|an|the|its|their|one) )?(?:ordering )?keys?|ordering lines?|key's line",
    ],
    names: ['in line|lines? stores?|ordering lines?|(?:join|leave|nudge|standing in) line|line of key'],
  },
  {
    id: 'place',
    say: 'ticket (of an ordering queue)',
    prose: [
      'places? in (?:the|a|its|their|that|each) (?:line|key|queue|order)',
      '(?:puts?|gets?|keeps?|has|loses?) (?:its|their|a) place(?! of)',
    ],
    names: ['places?(?! holder)'],
    paths: IN_LAMBDAS,
  },
  {
    id: 'turn',
    say: 'holds / acquires the ordering key',
    prose: ["(?:its|their|whose|a|the|'s) turn(?! of)", 'takes? turns|turns? comes?'],
    names: ['(?<!in )turns?(?! (?:on|off|into|around))'],
  },
  { id: 'nudge', say: 'resend', prose: ['nudg(?:e|es|ed|ing)'], names: ['nudg(?:e|es|ed|ing)'] },
  {
    id: 'head',
    say: 'first pending entry; first ticket',
    prose: ['(?:at|to) the head(?! of the queue)'],
    names: ['has head|chain head'],
  },
];

export const LOCKS_AND_LEASES = [
  {
    id: 'hold',
    say: 'overlap lock, acquire, release',
    prose: [
      "(?:a|the|its|whose|stale|free|job's) hold(?! on to)",
      'hold (?:row|store)s?|holds? (?:of|on) (?:a|the|its|that|this|each|every) jobs?',
    ],
    names: ['hold(?! lease)|holds(?! (?:records?|lease|ordering|key))'],
  },
  {
    id: 'take the job',
    say: 'acquire / release the overlap lock',
    prose: [
      '(?:takes?|took|taken|taking|free|frees|freed|freeing) (?:the|a|its|that|this) job(?! of)',
      'job is (?:free|freed|taken)',
    ],
    names: ['(?:take|free|leave) job|job (?:taken|freed)'],
  },
  { id: 'held', say: 'lease handle', exact: ['Held', 'HeldLease', 'holdLease', 'isHeld'] },
  {
    id: 'held',
    say: 'lease',
    exact: ['held'],
    paths: /^(?:lambdas\/(?:executor|core\/(?:attempts|dispatch|gates))|test\/unit\/executor)\//,
  },
  {
    id: 'hand over',
    say: 'delegate (a lease); return, pass',
    prose: [
      'hand(?:s|ed|ing)?(?: (?:it|them|this|that|(?:the|a|its) lease))?(?: |-)over|handovers?|hand-overs?',
    ],
    names: ['hand(?:ed|s|ing)? over|handover'],
  },
  { id: 'beat', say: 'heartbeat', prose: ['beats?|beating'], names: ['beats?|beating'] },
  {
    id: 'make way',
    say: 'release (gates), wake the next',
    prose: ['(?:makes?|made|making) way'],
    names: ['(?:makes?|made|gives?) way'],
  },
  { id: 'pass on', say: 'wake the next', names: ['pass(?:ed)? on'] },
];

export const OUTCOMES = [
  {
    id: 'conclude',
    say: 'settle; outcome',
    prose: ['conclu(?:des?|ded|ding|sions?)'],
    names: ['conclu(?:des?|ded|ding|sion)'],
  },
  {
    id: 'come to',
    say: 'end as; succeed; cost; reach',
    prose: ['(?:come|comes|came|coming) to(?! (?:be|an end|light|rest|mind))', '(?:come|comes|came) off'],
    names: ['(?:came|comes?) to'],
  },
  {
    id: 'answer of a target',
    say: 'target result',
    prose: ["targets?'s? answers?|answers? of (?:a|the|its|that|each|every|one|several) targets?"],
    exact: ['Answer'],
    names: ['target answers?'],
    paths: /^(?!client\/|cli\/|lambdas\/core\/(?:contracts\/)?http\/)/,
  },
  { id: 'verdict', say: 'eligibility; result', prose: ['verdicts?'], names: ['verdicts?'] },
  {
    id: 'judge',
    say: 'check; decide',
    prose: ['judg(?:es?|ed|ing|ements?|ments?)'],
    names: ['judg(?:es?|ed|ing|ements?|ment)'],
  },
  {
    id: 'refused (URL)',
    say: 'rejected',
    prose: ['refused (?:URLs?|addresses)|(?:URLs?|addresses|address) (?:is|are|was|were) refused'],
  },
  { id: 'gravity', say: 'severity', names: ['gravity'] },
  { id: 'revive', say: 'user retry', prose: ['reviv(?:es?|ed|ing|als?)'], names: ['reviv(?:es?|ed|als?)'] },
  { id: 'transient', say: 'retryable', prose: ['transient(?:ly)?'], names: ['transient'] },
  {
    id: 'note a report',
    say: 'append a report',
    prose: ['not(?:es?|ed|ing) (?:a|the|its|this|that) report'],
    names: ['note report'],
  },
  {
    id: 'keep late',
    say: 'append a late result',
    prose: ['(?:keeps?|kept) late'],
    names: ['(?:keeps?|kept) late'],
  },
  { id: 'leave running', say: 'end running', names: ['leave running'] },
  {
    id: 'ask to cancel',
    say: 'request cancellation',
    prose: [
      'ask(?:s|ed|ing)? (?:it )?to (?:cancel|end)',
      'cancel(?:lation)?(?: is| was)?(?: |-)asked(?: for)?',
    ],
    names: ['ask(?:s|ed)? to (?:cancel|end)|cancel asked'],
  },
];
