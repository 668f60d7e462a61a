/** A request that a function of the stack sent to an AWS resource outside the stack. */
export interface ExternalRequest {
  /** ARN. */
  resource: string;
  /** ISO 8601. */
  time: string;
  /** The parameters, spelled as in the service's API reference. */
  request: object;
}

interface ExternalResourcesDeps {
  clock: { nowMs(): number };
  newId(): string;
  /** Receives one line per resource, at its first request. */
  onFirst(line: string): void;
}

const MAX_KEPT = 500;

/**
 * AWS resources outside the stack that targets may name: functions, topics, buses and state machines. The
 * local run does not emulate them. It accepts their requests as AWS would and keeps the latest for
 * `/_local/elsewhere`.
 */
export class ExternalResources {
  private readonly kept: ExternalRequest[] = [];
  private readonly known = new Set<string>();

  constructor(private readonly deps: ExternalResourcesDeps) {}

  /** Keeps a request. Returns the id for the service's response. */
  record(resource: string, request: object): string {
    const { clock, newId, onFirst } = this.deps;
    if (!this.known.has(resource)) {
      this.known.add(resource);
      onFirst(`${resource} is not part of the stack: its requests are only listed at /_local/elsewhere`);
    }
    this.kept.unshift({ resource, time: new Date(clock.nowMs()).toISOString(), request });
    this.kept.length = Math.min(this.kept.length, MAX_KEPT);
    return newId();
  }

  /** The latest requests, newest first. */
  sent(): readonly ExternalRequest[] {
    return this.kept;
  }
}
