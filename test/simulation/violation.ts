/** The promises that a log may break, by name. */
export const INVARIANTS = [
  'lost',
  'unfinished',
  'ghost',
  'one-execution',
  'lease',
  'attempts-apart',
  'overlap',
  'key-apart',
  'key-order',
  'limit',
  'slot-key',
  'circle',
  'rate',
  'start-log',
  'fence',
  'early',
  'late',
  'attempts',
  'success-kept',
  'transition',
  'history',
  'order',
  'reason',
  'future-entry',
  'cursor',
  'behind-the-sweep',
  'drained',
  'obeyed',
  'payload',
  'delivery-id',
  'acknowledged',
  'run-now',
  'event',
  'report',
  'not-before',
  'mark-says-row',
  'none-outlives',
  'ends-once',
  'monotone',
  'run-ends',
  'once-a-round',
  'stopped',
  'same-version',
  'children',
  'window',
  'backfill',
  'cause',
  'payload-schema',
  'calendar',
  'ticket',
  'ticket-quiet',
  'not-started',
  'notification',
  'key-once',
  'key-answer',
  'run-as-asked',
  'held',
  'errand-once',
  'errands-apart',
  'errand-on-time',
  'errand-ends',
  'errand-stopped',
  'gates-cover',
  'right-one',
  'probes-bounded',
  'journal-whole',
  'journal-true',
  'run-tags',
  'export-whole',
  'export-true',
  'given-up',
  'repaired-without-loss',
  'repaired',
] as const;
export type Invariant = (typeof INVARIANTS)[number];

export interface Violation {
  invariant: Invariant;
  detail: string;
  /** It may still heal by itself, so only its state at the end counts. */
  mayHeal: boolean;
}

export const broken = (invariant: Invariant, detail: string): Violation => ({
  invariant,
  detail,
  mayHeal: false,
});
export const open = (invariant: Invariant, detail: string): Violation => ({
  invariant,
  detail,
  mayHeal: true,
});

export const clockTime = (ms: number): string =>
  Number.isFinite(ms) ? new Date(ms).toISOString().slice(11, 23) : 'never';
