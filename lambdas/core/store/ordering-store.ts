import type { OrderedMessage } from '../contracts/messages';
import type { LineRef } from '../contracts/tables';
import type { ExecutionRef } from './execution-store';

/** Names one execution's place in the line of its ordering key. */
export interface PlaceRef extends ExecutionRef {
  orderingKey: string;
}

/** An execution that stands in line, from its dispatch until it has ended. */
export interface Place extends ExecutionRef {
  dueAtMs: number;
  /** What asks for its first attempt: whoever ends its turn sends it, without a read of the job. */
  message: OrderedMessage;
}

/** The execution whose turn it is, or was: one that is over counts as nobody. */
export interface Holder extends ExecutionRef {
  dueAtMs: number;
  /** Random; new each time it is taken, by its own holder too. */
  takeId: string;
  takenAtMs: number;
}

export interface Line {
  holder?: Holder;
  /** The first ones, by due time, then by execution. */
  places: Place[];
  /** Whether there are more than these. */
  more: boolean;
}

/** The lines of ordering keys: a row for each place, and one for the holder. Only jobs with an `orderingKey` have any. */
export interface LineStore {
  /** Puts places; the same one again is the same row. */
  join(places: readonly { message: OrderedMessage; expiresAtSec: number }[]): Promise<void>;
  /** Consistent. */
  look(line: LineRef, limit: number): Promise<Line>;
  /**
   * Makes an execution the holder, if nobody is, it is so itself, or `insteadOf` is as it was seen. One's own earlier
   * success is no conflict.
   */
  take(
    place: PlaceRef & { dueAtMs: number },
    hold: { takeId: string; nowMs: number; expiresAtSec: number; insteadOf?: Holder },
  ): Promise<'taken' | 'held'>;
  /** Whether there is such a place. Consistent. */
  stands(place: PlaceRef): Promise<boolean>;
  /** Removes a place; one that is gone stays gone. */
  leave(place: PlaceRef): Promise<void>;
  /**
   * Leave to send the message of a place once more, given to one caller within `everyMs`; undefined to the others, and
   * where the place is gone.
   */
  nudge(place: PlaceRef, at: { nowMs: number; everyMs: number }): Promise<OrderedMessage | undefined>;
}
