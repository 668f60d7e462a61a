import { DAY_MS, HOUR_MS, MINUTE_MS } from '../clock/clock';
import type { ErrandType } from '../contracts/errand-services';
import type { Reason } from './reason';
import type { TerminalStatus } from './transitions';

/** What it means that the service of a kind knows an errand, or knows none. */
interface ErrandRules {
  /** For so long after the first start, another start under its name is the same one. 0: never. */
  repeatableForMs: number;
  /** A start without an answer that has left no trace by then never will: its request is too old. */
  arrivesWithinMs: number;
  /** For so long after the first start, the service knows the errand, whether it has ended or not. */
  visibleForMs: number;
  /** A user may start other work under its name, as a copy of it: its id tells them apart. */
  hasCopies?: true;
  /** Its events tell its id, and not its name: a row leads from one to the other. */
  isKnownById?: true;
  /** One question of its service may be about several of them, by their ids. */
  isAskedTogether?: true;
  /** Its service tells the steps of an errand, and forgets them after a while. */
  hasSteps?: true;
}

export const ERRAND_RULES: Readonly<Record<ErrandType, ErrandRules>> = {
  stepfunctions: { repeatableForMs: 90 * DAY_MS, arrivesWithinMs: MINUTE_MS, visibleForMs: 90 * DAY_MS },
  // A token, and a task that has stopped, are forgotten an hour after its end at the earliest.
  ecs: {
    repeatableForMs: 50 * MINUTE_MS,
    arrivesWithinMs: MINUTE_MS,
    visibleForMs: HOUR_MS,
    hasCopies: true,
    isAskedTogether: true,
  },
  // Another start is another job, and a list may lag.
  batch: {
    repeatableForMs: 0,
    arrivesWithinMs: 5 * MINUTE_MS,
    visibleForMs: DAY_MS,
    hasCopies: true,
    isAskedTogether: true,
  },
  glue: { repeatableForMs: 0, arrivesWithinMs: 5 * MINUTE_MS, visibleForMs: 90 * DAY_MS, isKnownById: true },
  // The token of a start is kept for five minutes.
  codebuild: {
    repeatableForMs: 4 * MINUTE_MS,
    arrivesWithinMs: 5 * MINUTE_MS,
    visibleForMs: 90 * DAY_MS,
    hasCopies: true,
    isAskedTogether: true,
  },
  // Its function may keep what has ended for a day alone.
  durable: { repeatableForMs: DAY_MS, arrivesWithinMs: MINUTE_MS, visibleForMs: DAY_MS, hasSteps: true },
};

/** What the record of an attempt keeps of its errand: it leads to its page, and to its logs. */
export type PastErrand = Pick<Errand, 'type' | 'name' | 'resource' | 'id'> & {
  /** Where its logs are, if its id does not say: the stream of a job of Batch, the address of a build's. */
  logs?: string;
  /** Its last steps, in the order in which they began. Absent: its kind has none, or they are not known. */
  steps?: readonly ErrandStep[];
};

/** A step of an errand, or another thing that it waited for. */
export interface ErrandStep {
  name: string;
  /** As it was at the end of the errand. `open`: it had begun, and had not ended. */
  state: 'succeeded' | 'failed' | 'open';
  /** Absent: it began before the events that were read. */
  startedAtMs?: number;
  endedAtMs?: number;
}

/** An errand, as the lease says that is delegated to it. */
export interface Errand {
  type: ErrandType;
  /** It stays, however often the errand is started. */
  name: string;
  /** ARN of what was started. */
  resource: string;
  /** ARN of where its service does it, for kinds whose target names that besides. */
  runsIn?: string;
  /** What its service calls it. Absent until known, and if it follows from the name. */
  id?: string;
  /** When it was first about to be started: its time counts from here. */
  firstStartAtMs: number;
  /** It may run, or not: a start got no answer, or its executor is lost. */
  unresolved?: true;
  /** Its sight was lost, and a user has run the execution again: an end that is no success starts another. */
  again?: true;
  /** What its service has answered last, instead of what was asked: since the first such answer in a row. */
  trouble?: { error: string; sinceMs: number };
  /** How the execution ends once the errand has been seen to end. */
  endsAs?: { status: TerminalStatus; reason?: Reason };
}
