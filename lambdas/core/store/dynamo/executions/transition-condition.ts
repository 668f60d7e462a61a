import { type ExecutionStatus, statusesBefore } from '../../../domain/transitions';
import { listOf } from '../expressions';

/**
 * The condition that a row is in a status from which a transition leads to `to`. `only` narrows it to the
 * statuses that the write is meant for. Throws if there is no such transition.
 */
export function isBefore(
  to: ExecutionStatus,
  only?: readonly ExecutionStatus[],
): { condition: string; values: Record<string, unknown> } {
  const from = statusesBefore(to).filter(
    (status) => status !== 'scheduled' && (only?.includes(status) ?? true),
  );
  if (from.length === 0) throw new Error(`no transition leads from ${only?.join(' or ')} to ${to}`);
  const { list, values } = listOf('from', from);
  return { condition: `#status IN (${list})`, values };
}
