import type { StandInScripts } from '../../../../local/services/start-stand-ins';
import type { errandRun } from '../../../support/local/errand-run';

export type ErrandRun = ReturnType<typeof errandRun>;

/** Where the resources of a service are: the beginning of their ARNs. */
export const HERE = (service: string): string => `arn:aws:${service}:us-east-1:000000000000`;

/** Work of one service, or of some that are alike, which jobs start and wait for. */
export interface PlayedErrands {
  settings: { allowedTargetArns: readonly string[]; errands?: object };
  scripts: StandInScripts;
  /** What the calls need of the policies, by the spelling of `Needs`. */
  grants: readonly string[];
  /** Targets that the API refuses, each with the path of its error. */
  refused: readonly (readonly [path: string, target: object, message: RegExp])[];
  /** Creates jobs. Resolves when their work has started. */
  begin(run: ErrandRun): Promise<void>;
  /** After a kill of the run: the work of each job ends in its own way. */
  endWork(run: ErrandRun): Promise<void>;
  expectEnds(run: ErrandRun): Promise<void>;
}
