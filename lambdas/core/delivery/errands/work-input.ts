import { instantText } from '../../clock/clock';
import { ERRAND_VARIABLE } from '../../contracts/errand-services';
import { jobRefOf } from '../../contracts/tables';
import type { ErrandStart } from './errand-kind';

export type StartOfWork = Pick<ErrandStart, 'name' | 'input' | 'run'>;

/**
 * What work gets to know of its execution: the payload, and what names it. It holds no token and no secret,
 * since services show it. No attempt's number is among it, since a repeated start has to be the same.
 */
export const variablesOf = ({ name, input, run }: StartOfWork): Record<string, string> => ({
  QUARTERJACK_PAYLOAD: input,
  QUARTERJACK_ID: run.deliveryId,
  [ERRAND_VARIABLE]: name,
  QUARTERJACK_JOB: jobRefOf(run.jobKey).jobId,
  QUARTERJACK_EXECUTION: run.execId,
  QUARTERJACK_DUE: instantText(run.dueAtMs),
});

/** As a list in a fixed order: a repeated start is the same, in whatever order a table returns them. */
export const environmentOf = (
  start: StartOfWork,
  own: Readonly<Record<string, string>> = {},
): { name: string; value: string }[] =>
  Object.entries({ ...own, ...variablesOf(start) })
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => ({ name, value }));

/** The value of the variable that names an errand; undefined: the work was not started for one. */
export function errandInEnvironment(environment: unknown): string | undefined {
  if (!Array.isArray(environment)) return undefined;
  const value: unknown = environment.find((one: { name?: unknown }) => one?.name === ERRAND_VARIABLE)?.value;
  return typeof value === 'string' ? value : undefined;
}

/** What ECS allows for all overrides of a task, as JSON. Batch runs its jobs as such tasks. */
const MAX_OVERRIDES_LENGTH = 8_192;

/** Why ECS would refuse these overrides; undefined: it takes them. */
export function faultOfOverrides(overrides: object): string | undefined {
  const { length } = JSON.stringify(overrides);
  return length <= MAX_OVERRIDES_LENGTH
    ? undefined
    : `payload, command and environment make overrides of ${length} characters; ` +
        `ECS allows ${MAX_OVERRIDES_LENGTH} for a task`;
}
