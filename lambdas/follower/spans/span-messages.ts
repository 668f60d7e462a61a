import { MESSAGE_VERSION } from '../../core/contracts/messages';
import { MOST_SPAN_BYTES, MOST_SPANS, type SpansMessage } from '../../core/contracts/otlp';
import type { OtlpSpan } from '../../core/telemetry/otlp';

/** The spans of one change of the stream, which has an index in its batch. */
export interface SpansOfChange {
  index: number;
  spans: readonly OtlpSpan[];
}

/** Messages that a queue takes. `first`: the index of the first change that has a span in it. */
export function spanMessagesOf(
  made: readonly SpansOfChange[],
  madeAtMs: number,
): { first: number; message: SpansMessage }[] {
  const messages: { first: number; message: SpansMessage }[] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const { index, spans } of made)
    for (const span of spans) {
      const size = Buffer.byteLength(JSON.stringify(span)) + 1;
      const open = messages.at(-1);
      if (!open || bytes + size > MOST_SPAN_BYTES || open.message.spans.length === MOST_SPANS) {
        messages.push({ first: index, message: { v: MESSAGE_VERSION, madeAtMs, spans: [{ ...span }] } });
        bytes = size;
      } else {
        open.message.spans.push({ ...span });
        bytes += size;
      }
    }
  return messages;
}
