/**
 * `AbortController` and `AbortSignal` for a process that plays seeds. They do what those of Node.js do, in
 * the same order, for the event `abort`. A seed makes thousands of them. Those of Node.js are event targets
 * with weak references, and take a twentieth of a seed's processor time.
 */

type Listener = (event: { type: 'abort' }) => void;

interface ListenerOptions {
  once?: boolean;
  signal?: LightSignal;
}

interface Registered {
  listener: Listener;
  once: boolean;
}

const ABORTED = 'This operation was aborted';

class LightSignal {
  aborted = false;
  private why: unknown;
  private readonly registered = new Set<Registered>();
  /** Signals that `any` has made of this one. */
  private readonly dependants = new Set<LightSignal>();
  /** Only of a signal that `any` has made: those that it depends on. They are none of that kind. */
  private sources: readonly LightSignal[] | undefined;

  get reason(): unknown {
    if (this.aborted) this.why ??= new DOMException(ABORTED, 'AbortError');
    return this.why;
  }

  throwIfAborted(): void {
    if (this.aborted) throw this.reason;
  }

  addEventListener(type: 'abort', listener: Listener, { once = false, signal }: ListenerOptions = {}): void {
    if (type !== 'abort') throw new Error(`the event ${String(type)} is not supported`);
    if (signal?.aborted) return;
    for (const one of this.registered) if (one.listener === listener) return;
    const registered = { listener, once };
    this.registered.add(registered);
    signal?.addEventListener('abort', () => void this.registered.delete(registered), { once: true });
  }

  removeEventListener(_: 'abort', listener: Listener): void {
    for (const one of this.registered) if (one.listener === listener) this.registered.delete(one);
  }

  /** As an `EventTarget` has it for `setMaxListeners` of `node:events`. There is no limit here. */
  setMaxListeners(): void {
    // nothing is counted
  }

  abort(reason: unknown): void {
    if (this.aborted) return;
    this.aborted = true;
    this.why = reason;
    for (const one of [...this.registered]) {
      if (!this.registered.has(one)) continue; // another listener has removed it
      if (one.once) this.registered.delete(one);
      one.listener({ type: 'abort' });
    }
    for (const dependant of this.dependants) dependant.abort(this.reason);
  }

  static any(signals: readonly LightSignal[]): LightSignal {
    const result = new LightSignal();
    const sources = signals.flatMap((signal) => signal.sources ?? signal);
    const aborted = signals.find((signal) => signal.aborted) ?? sources.find((signal) => signal.aborted);
    if (aborted) result.abort(aborted.reason);
    result.sources = sources;
    if (!aborted) for (const source of sources) source.dependants.add(result);
    return result;
  }
}

class LightController {
  readonly signal = new LightSignal();

  abort(reason?: unknown): void {
    this.signal.abort(reason);
  }
}

/** Replaces the two classes in this process. Nothing else may run in it: no request, no timer. */
export function useLightAbort(): void {
  Object.assign(globalThis, { AbortController: LightController, AbortSignal: LightSignal });
}
