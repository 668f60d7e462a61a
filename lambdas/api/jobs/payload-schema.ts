import type { Job, JobDefinition } from '../../core/domain/job';
import { enteringPayload, fitOf, NO_PAYLOAD, pathOfMisfit } from '../../core/domain/payload-fit';
import { bringsNoPayload } from '../../core/schedule/spec';
import { paramsOf } from '../../core/domain/workflow/params';
import { type FieldError, invalid, ProblemError } from '../http/problem';

/** Throws `ProblemError` 400 unless a payload, or the parameters of a run, fit the schema of the job. */
export async function checkFit(
  job: Pick<JobDefinition, 'payloadSchema'>,
  value: unknown,
  path: string,
): Promise<void> {
  const fit = await fitOf(job, value);
  if (fit.is === 'too-complex') {
    const { MAX_SCHEMA_STEPS } = await import('../../core/json-schema/evaluate.ts');
    throw new ProblemError(
      400,
      'payload-too-complex',
      'Payload too complex',
      `${path} takes more than ${MAX_SCHEMA_STEPS} steps to check by the schema of the job`,
      { errors: [{ path, message: 'takes too many steps to check' }] },
    );
  }
  if (fit.is === 'fits') return;
  throw invalid(
    fit.misfits.map(({ parts, pointer, keyword, message }): FieldError => {
      return { path: pathOfMisfit(parts, path), pointer, keyword, message };
    }),
  );
}

/** Checks the payload of an execution that begins, unless it is its job's own. Throws `ProblemError` 400. */
export async function checkEntering(
  job: Pick<JobDefinition, 'payload' | 'payloadSchema'>,
  given: { value: unknown } | undefined,
): Promise<void> {
  const entering = enteringPayload(job, given);
  if (entering) await checkFit(job, entering.value, 'payload');
}

/**
 * Checks the schema of a job, and by it the payload or the parameters that its own fires have. Throws
 * `ProblemError` 400.
 *
 * @returns what the schema leaves unchecked
 */
export async function checkOwnSchema(
  definition: JobDefinition,
): Promise<Pick<Job, 'payloadSchemaUnchecked'>> {
  const { payloadSchema, payload, templates, workflow, schedule } = definition;
  if (!payloadSchema) return {};
  const { checkSchema } = await import('../../core/json-schema/check-schema.ts');
  const { faults, unchecked } = checkSchema(payloadSchema);
  if (faults.length > 0)
    throw invalid(
      faults.map(({ pointer, message }) => ({ path: `payloadSchema${dotted(pointer)}`, message })),
    );
  // An event brings a payload, and no parameters.
  const isRunByHand = typeof schedule !== 'string' && schedule.type === 'none';
  if (workflow?.content && !isRunByHand)
    await checkFit(definition, paramsOf(workflow.content), 'workflow.params');
  if (!workflow && (payload === undefined ? bringsNoPayload(schedule) : !templates))
    await checkFit(definition, payload === undefined ? NO_PAYLOAD : payload, 'payload');
  return unchecked.length > 0 ? { payloadSchemaUnchecked: unchecked } : {};
}

const MAX_SHOWN = 200;
const dotted = (pointer: string): string => pointer.replaceAll('/', '.').slice(0, MAX_SHOWN);
