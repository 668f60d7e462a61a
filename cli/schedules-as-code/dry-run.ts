import {
  ConnectionError,
  type FieldProblem,
  type JobDefinition,
  PermissionError,
  ProblemError,
  type Quarterjack,
  QuarterjackError,
  type Schedule,
  ServerError,
  ValidationError,
} from '../../client';
import type { Definition } from './definition';

/** No job has this ETag: those of the API are random. */
const NEVER = '"dry-run"';
const MAX_TRIES = 3;

export interface DryRun {
  /** Why the API would reject the job; empty if it would not. Quotas are not checked. */
  problems: readonly FieldProblem[];
  /** The first due time of the schedule; null if it never fires, or if it was not asked for. */
  firstAt: string | null;
  /** False if the token may not write jobs. Only the schedule was then checked. */
  isWhole: boolean;
}

/**
 * Asks the API whether it would accept a job. Changes nothing.
 *
 * The API itself has to answer: what it accepts depends on its version, its pools and its rules for targets.
 * It checks the body of a `PUT` before its precondition, and this precondition never holds. It checks when
 * the schedule fires after that, so a preview asks for this.
 */
export async function dryRun(
  client: Quarterjack,
  jobId: string,
  definition: Definition,
  { withSchedule = true } = {},
): Promise<DryRun> {
  const { problems, isWhole } = await putNothing(client, jobId, definition as unknown as JobDefinition);
  if (!withSchedule || problems.some(isOfSchedule)) return { problems, isWhole, firstAt: null };
  try {
    const { times } = await client.preview(definition.schedule as Schedule, { count: 1 });
    return { problems, isWhole, firstAt: times[0]?.at ?? null };
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    return { problems: [...fieldProblemsOf(error), ...problems], isWhole, firstAt: null };
  }
}

export const isOfSchedule = ({ path }: FieldProblem): boolean => /^schedule\b/.test(path);

/** The rejected fields, or the detail of the error if it names none. */
export const fieldProblemsOf = ({ errors, detail }: ValidationError): readonly FieldProblem[] =>
  errors.length > 0 ? errors : [{ path: '', message: detail }];

async function putNothing(
  { jobs }: Quarterjack,
  jobId: string,
  definition: JobDefinition,
): Promise<Pick<DryRun, 'problems' | 'isWhole'>> {
  for (let tries = 1; ; tries++) {
    try {
      await jobs.put(jobId, definition, { ifMatch: NEVER });
    } catch (error) {
      if (error instanceof ValidationError) return { problems: fieldProblemsOf(error), isWhole: true };
      if (error instanceof PermissionError) return { problems: [], isWhole: false };
      if (error instanceof ProblemError && error.status === 412) return { problems: [], isWhole: true };
      // The client does not repeat a change with an ETag. This one changes nothing, so it may be repeated.
      if (tries < MAX_TRIES && (error instanceof ConnectionError || error instanceof ServerError)) continue;
      throw error;
    }
    throw new QuarterjackError(`${jobId} was changed by a request whose If-Match does not hold`);
  }
}
