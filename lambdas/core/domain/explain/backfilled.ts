import type { Execution } from '../execution';
import { isTerminal } from '../transitions';
import type { Explanation, ExplanationStep, Facts } from './facts';
import { fromExecution } from './texts';

/**
 * An explanation with what backfills made of the date. They do not change the verdict, which is about
 * the occurrence.
 */
export function withBackfills(explanation: Explanation, { backfilled = [] }: Facts): Explanation {
  const last = backfilled.at(-1);
  if (!last) return explanation;
  const { steps, sentence } = explanation;
  const hint = ` A backfill ${last.status === 'succeeded' ? 'has run it since' : `started it: ${last.status}`}.`;
  return { ...explanation, sentence: sentence + hint, steps: [...steps, ...backfilled.map(stepOf)] };
}

function stepOf({ execId, status, reason, parent }: Execution): ExplanationStep {
  const how = isTerminal(status) ? `ended as ${status}` : `is ${status}`;
  const because = reason === undefined ? '' : ` (${reason})`;
  const of = parent ? ` ${parent.execId}` : '';
  const text = `The backfill${of} started an execution for this date, which ${how}${because}.`;
  return { code: 'backfilled', holds: status === 'succeeded', text, evidence: fromExecution(execId) };
}
