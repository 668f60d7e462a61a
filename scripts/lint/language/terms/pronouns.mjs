/** Pronouns that hide which component acts. */
const THE_COMPONENT = 'the name of the component or person';

export const PRONOUNS = [
  { id: 'whoever', say: THE_COMPONENT, prose: ["who(?:m)?(?:so)?ever(?:'s)?"], names: ['whoever'] },
  {
    id: 'somebody',
    say: THE_COMPONENT,
    prose: ["(?:some|any|every)body(?: else)?(?:'s)?"],
    names: ['somebody|anybody|everybody'],
  },
  { id: 'nobody', say: `${THE_COMPONENT}, or "no …"`, prose: ["nobody(?: else)?(?:'s)?"], names: ['nobody'] },
  {
    id: "one's own",
    say: `${THE_COMPONENT}; its`,
    prose: ["(?<!(?:this|that|each|first|last|next|other|new|old|recurring|\\w+ed) )one's(?: own)?|oneself"],
  },
  {
    id: 'others',
    say: THE_COMPONENT,
    prose: [
      '(?<!(?:the|all|two|three|these|those|which|and|no) )others (?:may|might|can|could|will|would|do|did|have|had|are|were|go|take|took|read|write|see|find|must|need)',
      '(?:left|leaves?|belongs?) to others|by others',
    ],
  },
  {
    id: 'thereof',
    say: 'of it, of them',
    prose: ['(?:there|here|where)(?:of|with|upon|by|in|to|from|after)'],
  },
];
