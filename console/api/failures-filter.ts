/** How far back failures are shown, in milliseconds. */
export const SPANS = { '1h': 3_600_000, '24h': 86_400_000, '7d': 604_800_000 } as const;
export type Span = keyof typeof SPANS;
export const isSpan = (text: string | null): text is Span => text !== null && Object.hasOwn(SPANS, text);

/** Which failures. */
export interface FailuresFilter {
  /** Back from now, or between two instants as RFC 3339. */
  span: Span | { from: string; to: string };
  tags: readonly string[];
  /** `inbox`: what no user asked for. `all`: also what was skipped because a user paused or deleted a job. */
  view: 'inbox' | 'all';
}

/** What no user asked for, of the last day. */
export const INBOX: FailuresFilter = { span: '24h', tags: [], view: 'inbox' };

/** The filter as the API takes it. It ends now unless the span says otherwise. */
export function failuresQuery({ span, tags, view }: FailuresFilter) {
  const range =
    typeof span === 'string' ? { from: new Date(Date.now() - SPANS[span]).toISOString() } : { ...span };
  return {
    ...range,
    ...(tags.length > 0 && { tag: [...tags] }),
    ...(view === 'inbox' && { view: 'inbox' as const }),
  };
}
