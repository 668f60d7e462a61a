/** What a function of the stack sent to a resource of AWS that is not of the stack. */
export interface SentElsewhere {
  /** ARN. */
  resource: string;
  /** ISO 8601. */
  time: string;
  /** As the API reference of the service spells its parts. */
  request: object;
}

export interface ElsewhereDeps {
  clock: { nowMs(): number };
  newId(): string;
  /** Gets one line for each resource, the first time that anything is sent to it. */
  onFirst(line: string): void;
}

const KEPT = 500;

/**
 * Resources beside the stack, which targets may name: functions, topics, buses and state machines. Nothing on this
 * machine is them, so what they are sent is taken as AWS would take it, kept to be looked at, and goes no further.
 */
export class Elsewhere {
  private readonly kept: SentElsewhere[] = [];
  private readonly known = new Set<string>();

  constructor(private readonly deps: ElsewhereDeps) {}

  /** Gives the id that the service answers with. */
  take(resource: string, request: object): string {
    const { clock, newId, onFirst } = this.deps;
    if (!this.known.has(resource)) {
      this.known.add(resource);
      onFirst(`${resource} is not on this machine: what it is sent goes no further than /_local/elsewhere`);
    }
    this.kept.unshift({ resource, time: new Date(clock.nowMs()).toISOString(), request });
    this.kept.length = Math.min(this.kept.length, KEPT);
    return newId();
  }

  /** The newest first. */
  sent(): readonly SentElsewhere[] {
    return this.kept;
  }
}
