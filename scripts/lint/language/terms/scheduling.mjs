/** Terms of entries, shards, the sweeper and history. */
/** What precedes a noun: "its look", "the job's look". */
const A = "(?<=\\b(?:a|an|the|its|their|each|every|no|one|whose)\\s|'s\\s)";

export const RECHECKS = [
  {
    id: 'look',
    say: 'recheck; read',
    prose: [
      '(?:second|third|next|last|late|later|early|earlier|further|new|due) looks?',
      'look(?:s|ed|ing)? (?:at|again|after)',
      `${A}looks?(?! (?:like|up|for|to))|this look`,
      'looks filed',
    ],
    names: ['looks?|looked|looking'],
  },
  { id: 'glance', say: 'status read', prose: ['glanc(?:e|es|ed|ing)'], names: ['glanc(?:e|es|ed|ing)'] },
  { id: 'what got lost', say: 'lost work', prose: ['what (?:got|is|was|has been) lost'] },
  { id: 'what comes late', say: 'late work', prose: ['what(?:ever)? comes (?:too )?late'] },
  {
    id: 'set aside',
    say: 'quarantined (an entry); reserved',
    prose: ['set(?:s|ting)? (?:it |them |that |this )?aside'],
    names: ['set aside'],
  },
];

export const HISTORY = [
  { id: 'stretch', say: 'skipped range; range', prose: ['stretch(?:es|ed)?'], names: ['stretch(?:es|ed)?'] },
  {
    id: 'accounted for',
    say: 'covered by',
    prose: ['account(?:s|ed|ing)? for(?! (?:\\d|most|half|about))', 'unaccounted'],
    names: ['accounted|accounts'],
  },
  {
    id: 'stands for',
    say: 'covers; means',
    prose: ['(?:stands?|stood|standing) for'],
    names: ['stands? for'],
  },
  { id: 'reach', say: 'coverage', prose: [`${A}reach of`], names: ['reach (?:ms|of)'] },
];

export const ENTRIES_AND_SHARDS = [
  {
    id: 'standing',
    say: 'validity (current, outdated, unknown)',
    prose: ['standing(?! (?:in|for|by|still))'],
    names: ['standings?'],
  },
  {
    id: 'chain',
    say: 'series of entries; next entry; loop',
    prose: ['(?<!(?:promise|certificate|call|credential|provider) )chain(?:s|ed)?'],
    names: ['chain(?:s|ed)?'],
  },
  { id: "scanner's step", say: 'dispatch ahead', prose: ["scanner's step"] },
  {
    id: 'quiet',
    say: 'idle shard',
    prose: [
      'quiet (?:shards?|buckets?|pass(?:es)?|rows?|ones|run)|(?<!all )(?:is|are|was|were|stays?) quiet',
    ],
    names: ['quiet'],
    paths: /^(?:lambdas|docs|test\/(?:conformance|unit\/(?:core|scanner|sweeper)))\//,
  },
  { id: 'busy', say: 'entriesInLastBucket', exact: ['busy'], paths: /^(?:lambdas|test\/conformance)\// },
  { id: 'in force', say: 'active; current', prose: ['in force'], names: ['in force'] },
  { id: 'in step', say: 'phase-aligned', prose: ['in step'], names: ['in step'] },
  {
    id: 'stopped',
    say: 'maintenance mode',
    prose: ['stopped deployment|deployment (?:is|was|that is) stopped|stop rows?|held back'],
    names: ['held back|hold back|stop rows?'],
  },
  {
    id: 'share',
    say: 'per-user rate limit',
    prose: [
      "fair(?:-| )shares?|(?:its|their|a user's|user's|users'|per-user|the) shares?(?! of)",
      'shares? of (?:a|the|each|its|one|every) users?',
    ],
    names: ['fair shares?|shares? of users?|user shares?'],
  },
];
