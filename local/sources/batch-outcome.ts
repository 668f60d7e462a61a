import type { InvokeOutcome } from '../invoke/environment';

/**
 * The messages of a batch that were processed and are to be deleted, by the rules of Lambda. The others stay
 * in flight until their visibility timeout.
 *
 * - The invocation failed: none.
 * - The mapping does not report item failures: all.
 * - No response, an empty response, or one without failures: all.
 * - A failure without an id, an id that is not in the batch, or an otherwise malformed response: none.
 */
export function doneMessages(
  messageIds: string[],
  outcome: InvokeOutcome,
  reportsItemFailures: boolean,
): string[] {
  if (!outcome.ok) return [];
  if (!reportsItemFailures || outcome.payload === undefined) return messageIds;
  const response: unknown = JSON.parse(outcome.payload);
  if (response === null) return messageIds;
  if (typeof response !== 'object') return [];
  const failures = (response as { batchItemFailures?: unknown }).batchItemFailures;
  if (failures === undefined || failures === null) return messageIds;
  if (!Array.isArray(failures)) return [];
  const failed = new Set<unknown>(
    failures.map((failure: { itemIdentifier?: unknown } | null) => failure?.itemIdentifier),
  );
  for (const id of failed) if (typeof id !== 'string' || !messageIds.includes(id)) return [];
  return messageIds.filter((id) => !failed.has(id));
}
