import { type ExecutionStatus, statusesBefore } from '../../../domain/transitions';
import { listOf } from '../expressions';

/**
 * The condition that a row is in a status from which the table of transitions leads to `to`; `only` narrows it to
 * those that the write is meant for. Throws where no such transition exists.
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
