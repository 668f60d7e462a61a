/** How far back a list goes, in milliseconds. */
export const SPANS = { '1h': 3_600_000, '24h': 86_400_000, '7d': 604_800_000 } as const;

/** Back from now, or between two instants as RFC 3339. */
export type TimeSpan = keyof typeof SPANS | { from: string; to: string };

const isSpan = (text: string | null): text is keyof typeof SPANS =>
  text !== null && Object.hasOwn(SPANS, text);
const isInstant = (text: string | null): text is string => text !== null && !Number.isNaN(Date.parse(text));

/** The span that an address names. Two instants win over a length. */
export function spanOf(query: URLSearchParams): TimeSpan {
  const [from, to, span] = [query.get('from'), query.get('to'), query.get('span')];
  if (isInstant(from) && isInstant(to))
    return { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
  return isSpan(span) ? span : '24h';
}

/** The span as the API takes it. It ends now unless it says otherwise. */
export const rangeOf = (span: TimeSpan): { from: string; to?: string } =>
  typeof span === 'string' ? { from: new Date(Date.now() - SPANS[span]).toISOString() } : { ...span };
