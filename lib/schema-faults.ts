import { NO_PAYLOAD, pathOfMisfit } from '../lambdas/core/domain/payload-fit';
import { checkSchema } from '../lambdas/core/json-schema/check-schema';
import { evaluate } from '../lambdas/core/json-schema/evaluate';
import type { Schema } from '../lambdas/core/json-schema/keywords';
import { bringsNoPayload, type ScheduleSpec } from '../lambdas/core/schedule/spec';

interface Checked {
  payloadSchema: unknown;
  payload: unknown;
  templates: unknown;
  workflow: unknown;
  schedule: ScheduleSpec | undefined;
}

interface Fault {
  path: string;
  message: string;
}

/** What the API would reject of a payload schema, and of the payload that the job has itself. */
export function schemaFaults({ payloadSchema, payload, templates, workflow, schedule }: Checked): Fault[] {
  if (payloadSchema === undefined || payloadSchema === null) return [];
  const { faults } = checkSchema(payloadSchema);
  if (faults.length > 0)
    return faults.map(({ pointer, message }) => ({
      path: `payloadSchema${pointer.replaceAll('/', '.')}`,
      message,
    }));
  const isChecked =
    payload === undefined ? schedule !== undefined && bringsNoPayload(schedule) : templates !== true;
  if (workflow !== undefined || !isChecked) return [];
  const fit = evaluate(payloadSchema as Schema, payload === undefined ? NO_PAYLOAD : payload);
  if (fit.is === 'fits') return [];
  if (fit.is === 'too-complex') return [{ path: 'payload', message: 'takes too many steps to check' }];
  return fit.misfits.map(({ parts, message }) => ({ path: pathOfMisfit(parts, 'payload'), message }));
}
