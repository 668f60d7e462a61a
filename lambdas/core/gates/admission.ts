import type { ExecutionMessage } from '../contracts/messages';
import type { StageDeps } from '../deps';
import { type Admission, GO } from './gate';
import { GATES } from './gates';

/** Asks each gate in turn. An execution that waits at one gate still meets the policies of the later ones. */
export async function admit(message: ExecutionMessage, deps: StageDeps): Promise<Admission> {
  let admitted = GO;
  for (const [index, gate] of GATES.entries()) {
    const admission = await gate.admit(message, deps);
    if (admission.decision === 'go') {
      if (admission.meanwhile) admitted = admission;
      continue;
    }
    if (admission.decision === 'skip') return admission;
    const toEnd = [...admission.toEnd];
    for (const later of GATES.slice(index + 1)) toEnd.push(...(await later.whileWaiting(message, deps)));
    return { decision: 'wait', toEnd };
  }
  return admitted;
}
