import type { EcsClusters } from '../../contracts/ecs-launch';
import type { ErrandEventMessage } from '../../contracts/messages';
import type { Errand, ErrandStep } from '../../domain/errand';
import type { ErrandTarget } from '../../domain/target';
import type { TargetResult } from '../../domain/target-result';
import type { Output } from '../../domain/workflow/output';
import type { CallContext } from '../call/aws-client';

/** What is started: the name makes a repeated start the same one. */
export interface ErrandStart extends Pick<Errand, 'type' | 'name' | 'resource' | 'runsIn'> {
  target: ErrandTarget;
  /** JSON. */
  input: string;
  /** The longest that it may take. Services that take a limit get it, as a belt. */
  limitMs: number;
  /** The execution that it is for. */
  run: { deliveryId: string; jobKey: string; execId: string; dueAtMs: number };
}

/**
 * How a start was answered. `started`: it runs, or ran, under this name. `refused`: it does not, and never
 * did. `unknown`: it may run, or not.
 */
export type Started =
  | { how: 'started'; id?: string }
  | { how: 'refused'; result: TargetResult }
  | { how: 'unknown'; error: string };

/**
 * How an errand has ended. `stopped`: someone asked its service to stop it. `lost`: what it ran on is gone,
 * which says nothing of its work.
 */
export interface ErrandEnd {
  how: 'succeeded' | 'failed' | 'stopped' | 'lost';
  /** It has failed, and would fail again. */
  isFatal?: true;
  /** What the service calls the error, for `fatalErrors` of a target. */
  errorName?: string;
  /** That of the container that decides, for `fatalExitCodes` of a target. */
  exitCode?: number;
  error?: string;
  body?: string;
  output?: Output;
  /** See `PastErrand`. */
  logs?: string;
}

/**
 * What a probe shows. `running`: with what its service calls it, for kinds that have ids. `none`: the service
 * knows no errand of this name. `unknown`: it did not say.
 */
export type Probed =
  | { state: 'running'; id?: string }
  | { state: 'none' }
  | { state: 'ended'; end: ErrandEnd }
  | { state: 'unknown'; error: string; isThrottled?: true };

/** The end of an errand, as an event tells it. */
export interface ErrandEvent extends Pick<Errand, 'resource' | 'id'> {
  /** Absent: its service names it by its id alone, which leads to its row. */
  name?: string;
  end: ErrandEnd;
  /** It says how it ended, and no more: a probe tells its output or error. */
  isBrief?: true;
  /** A probe may tell more of such an end. If it does not, the event stands. */
  mayTellMore?: true;
}

export type ErrandCall = CallContext & { signal: AbortSignal };
/** Where a start goes, with what the deployment says of it. */
export type StartCall = ErrandCall & { ecsClusters?: EcsClusters };

/** What one knows of an errand when one asks for it. Without its id, one asks by its name. */
export type KnownErrand = Pick<Errand, 'name' | 'resource' | 'runsIn' | 'id' | 'firstStartAtMs'>;

/** One that its service can be asked for by its id. */
export type ErrandById = KnownErrand & { id: string };

/** How a service does errands of one type. None of the calls throws because of what the service answers. */
export interface ErrandKind {
  start(start: ErrandStart, call: StartCall): Promise<Started>;
  probe(errand: KnownErrand, call: ErrandCall): Promise<Probed>;
  /** Asks once for several, all where the first one is. For kinds with `isAskedTogether`. */
  probeMany?(errands: readonly ErrandById[], call: ErrandCall): Promise<Probed[]>;
  /** The last steps of one that has ended. For kinds with `hasSteps`. Throws if its service does not say. */
  steps?(errand: ErrandById, call: ErrandCall): Promise<ErrandStep[]>;
  /** Asks for the end. The errand may run for a while after it. */
  stop(errand: KnownErrand, why: string, call: ErrandCall): Promise<void>;
  /** Undefined: the event tells of no end. */
  ofEvent(event: ErrandEventMessage): ErrandEvent | undefined;
  /** Whether a resource as its events name it is that of a target. Absent: if they are equal. */
  isSame?(target: string, inEvent: string): boolean;
}
