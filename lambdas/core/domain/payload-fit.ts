import type { Fit } from '../json-schema/evaluate';
import type { JobDefinition } from './job';

type Checked = Pick<JobDefinition, 'payloadSchema'>;

/** What targets and workers make of an execution without a payload. */
export const NO_PAYLOAD = {};

/** Whether a payload, or the parameters of a run, fit the schema of a job. Without one, nothing is loaded. */
export async function fitOf({ payloadSchema }: Checked, value: unknown): Promise<Fit> {
  if (!payloadSchema) return { is: 'fits' };
  const { evaluate } = await import('../json-schema/evaluate.ts');
  return evaluate(payloadSchema, value);
}

/** Why it does not fit, in a few words; undefined if it does. `root` is what the value is called. */
export async function misfitText(job: Checked, value: unknown, root: string): Promise<string | undefined> {
  const fit = await fitOf(job, value);
  if (fit.is === 'fits') return undefined;
  if (fit.is === 'too-complex') return `${root} takes too many steps to check`;
  const [first, ...others] = fit.misfits;
  const more = others.length > 0 ? `; and ${others.length} more` : '';
  return `${pathOfMisfit(first!.parts, root)}: ${first!.message}${more}`;
}

const SHOWN = 80;

/** `payload.lines.0.count` */
export const pathOfMisfit = (parts: readonly (string | number)[], root: string): string =>
  [root, ...parts.map((part) => String(part).slice(0, SHOWN))].join('.');

/**
 * What is to be checked of an execution that begins: the payload that it brings. If neither it nor its job
 * has one, that is `{}`. The job's own was checked when it was saved, or is once its templates are rendered.
 */
export const enteringPayload = (
  { payload }: Pick<JobDefinition, 'payload'>,
  given: { value: unknown } | undefined,
): { value: unknown } | undefined => given ?? (payload === undefined ? { value: NO_PAYLOAD } : undefined);
