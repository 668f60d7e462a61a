/** How the operator's collector of spans answers: each request, half of them, or none. */
export type CollectorKind = 'answering' | 'failing' | 'dead';

/** A span that the collector has got, as far as the checker reads it. */
export type ReceivedSpan =
  | {
      of: 'execution';
      spanId: string;
      jobKey: string;
      execId: string;
      status: string;
      userRetries: number;
    }
  | { of: 'attempt'; parentSpanId?: string | undefined; fence: number; target: number }
  | { of: 'wait' };

/** The collector has taken a request. */
export interface CollectorRecord {
  src: 'collector';
  type: 'received';
  spans: readonly ReceivedSpan[];
}
