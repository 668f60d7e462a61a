import type { ExecutionMessage } from '../contracts/messages';
import type { StageDeps } from '../deps';
import type { Admission } from '../domain/admission';
import { type Gate, GO } from './gate';
import { GATES } from './gates';

/** Whether there is a gate that the execution has to pass. */
export const concern = (message: ExecutionMessage): boolean => GATES.some((gate) => gate.concerns(message));

/**
 * Asks each gate in turn. A gate that is not kept while waiting gives nothing as long as a later one is
 * closed. An execution that waits at one gate still meets the policies of the later ones.
 */
export async function admit(message: ExecutionMessage, deps: StageDeps): Promise<Admission> {
  const gates = GATES.filter((gate) => gate.concerns(message));
  let admitted = GO;
  for (const [index, gate] of gates.entries()) {
    const later = gates.slice(index + 1);
    const closed = gate.isKeptWaiting ? undefined : await firstClosed(later, message, deps);
    if (closed) return closed;
    const admission = await gate.admit(message, deps);
    if (admission.decision === 'skip') return admission;
    if (admission.decision === 'wait') {
      const toEnd = [...admission.toEnd];
      for (const next of later) toEnd.push(...(await next.whileWaiting(message, deps)));
      return { decision: 'wait', toEnd };
    }
    if (admission.meanwhile) admitted = admission;
  }
  return admitted;
}

async function firstClosed(
  gates: readonly Gate[],
  message: ExecutionMessage,
  deps: StageDeps,
): Promise<Admission | undefined> {
  for (const gate of gates) {
    const seen = await gate.peek(message, deps);
    if (seen.decision !== 'go') return seen;
  }
  return undefined;
}
