import { NO_PAYLOAD, pathOfMisfit } from '../lambdas/core/domain/payload-fit';
import { checkSchema } from '../lambdas/core/json-schema/check-schema';
import { evaluate } from '../lambdas/core/json-schema/evaluate';
import type { Schema } from '../lambdas/core/json-schema/keywords';
import type { Workflow } from '../lambdas/core/domain/workflow/definition';
import { paramsOf } from '../lambdas/core/domain/workflow/params';
import { bringsNoPayload, type ScheduleSpec } from '../lambdas/core/schedule/spec';

interface Checked {
  payloadSchema: unknown;
  payload: unknown;
  templates: unknown;
  workflow: Workflow | undefined;
  schedule: ScheduleSpec | undefined;
}

interface Own {
  path: string;
  value: unknown;
}

interface Fault {
  path: string;
  message: string;
}

/** What the API would reject of a payload schema, and of the payload or parameters that a job has itself. */
export function schemaFaults(job: Checked): Fault[] {
  const { payloadSchema } = job;
  if (payloadSchema === undefined || payloadSchema === null) return [];
  const { faults } = checkSchema(payloadSchema);
  if (faults.length > 0)
    return faults.map(({ pointer, message }) => ({
      path: `payloadSchema${pointer.replaceAll('/', '.')}`,
      message,
    }));
  const own = ownValue(job);
  if (!own) return [];
  const fit = evaluate(payloadSchema as Schema, own.value);
  if (fit.is === 'fits') return [];
  if (fit.is === 'too-complex') return [{ path: own.path, message: 'takes too many steps to check' }];
  return fit.misfits.map(({ parts, message }) => ({ path: pathOfMisfit(parts, own.path), message }));
}

/** What the fires of a job have by its definition alone; undefined if that says nothing of them. */
function ownValue({ payload, templates, workflow, schedule }: Checked): Own | undefined {
  if (workflow) {
    const isRunByHand = typeof schedule === 'object' && schedule.type === 'none';
    const isChecked = schedule !== undefined && !isRunByHand;
    return isChecked ? { path: 'workflow.params', value: paramsOf(workflow) } : undefined;
  }
  if (payload !== undefined) return templates === true ? undefined : { path: 'payload', value: payload };
  const isChecked = schedule !== undefined && bringsNoPayload(schedule);
  return isChecked ? { path: 'payload', value: NO_PAYLOAD } : undefined;
}
