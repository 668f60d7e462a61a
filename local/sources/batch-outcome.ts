import type { InvokeOutcome } from '../invoke/environment';

/**
 * Which messages of a batch are done and may be deleted, decided as Lambda does. The rest stays in flight until its
 * visibility timeout is over.
 *
 * - The invocation failed: none.
 * - The mapping does not report item failures: all.
 * - No answer, an empty one, or no failures in it: all.
 * - A failure without an id, or with one that is not in the batch, or anything else that makes no sense: none.
 */
export function doneMessages(
  messageIds: string[],
  outcome: InvokeOutcome,
  reportsItemFailures: boolean,
): string[] {
  if (!outcome.ok) return [];
  if (!reportsItemFailures || outcome.payload === undefined) return messageIds;
  const answer: unknown = JSON.parse(outcome.payload);
  if (answer === null) return messageIds;
  if (typeof answer !== 'object') return [];
  const failures = (answer as { batchItemFailures?: unknown }).batchItemFailures;
  if (failures === undefined || failures === null) return messageIds;
  if (!Array.isArray(failures)) return [];
  const failed = new Set<unknown>(
    failures.map((failure: { itemIdentifier?: unknown } | null) => failure?.itemIdentifier),
  );
  for (const id of failed) if (typeof id !== 'string' || !messageIds.includes(id)) return [];
  return messageIds.filter((id) => !failed.has(id));
}
