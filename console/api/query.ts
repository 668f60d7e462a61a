import { shared } from './shared-parts';

/** Data that no page has shown for so long is forgotten. */
const FORGOTTEN_AFTER_MS = 300_000;
/** A page that is opened shows younger data without a request. */
const FRESH_MS = 2_000;

/** What shows the data of a query. */
export interface Watcher {
  /** `soFar` shows a part of what is being read, until the data is whole. */
  load(signal: AbortSignal, soFar: (part: unknown) => void): Promise<unknown>;
  /** Milliseconds from the last answer to the next request; false: none. */
  pauseMs(data: unknown, lastAtMs: number): number | false;
  /** False: it shows what is known, and asks for nothing. */
  asks: boolean;
  /** It asks again when the window is visible again. */
  asksOnReturn(): boolean;
  redraw(): void;
}

/** One question to the API: its last answer, and what shows it. Requests for it never run side by side. */
export class Query {
  data: unknown;
  error: Error | null = null;
  /** When the data and the error came, in milliseconds of Unix time; 0: never. */
  dataAtMs = 0;
  errorAtMs = 0;
  /** The first answer is still being read: the data is a part of it. */
  isPartial = false;
  /** An action may have changed the answer since. */
  isInvalidated = false;
  private flight: { abort: AbortController; ended: Promise<void> } | undefined;
  private readonly watchers = new Set<Watcher>();
  private next: ReturnType<typeof setTimeout> | undefined;
  private end: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly key: readonly unknown[],
    private readonly isHidden: () => boolean,
    private readonly forget: () => void,
  ) {
    this.endLater();
  }

  /** Asks if the data is missing or old. Returns what ends the watch; the last one gives up the request. */
  watch(watcher: Watcher): () => void {
    clearTimeout(this.end);
    this.watchers.add(watcher);
    if (watcher.asks && this.isOld()) void this.ask();
    else this.plan();
    return () => {
      this.watchers.delete(watcher);
      if (this.watchers.size > 0) return this.plan();
      clearTimeout(this.next);
      this.flight?.abort.abort();
      this.flight = undefined;
      this.endLater();
    };
  }

  /** Asks now, by what a watcher loads. A request under way is given up if there is data already. */
  async askAgain(): Promise<void> {
    if (this.data !== undefined && this.flight) {
      this.flight.abort.abort();
      this.flight = undefined;
    }
    await this.ask();
  }

  /** The data, at most `freshMs` old. */
  async dataOf(load: (signal: AbortSignal) => Promise<unknown>, freshMs: number): Promise<unknown> {
    if (this.data === undefined || this.isInvalidated || Date.now() - this.dataAtMs > freshMs) {
      const data = await load(new AbortController().signal);
      this.put(data);
    }
    if (this.watchers.size === 0) this.endLater();
    return this.data;
  }

  /** The window is visible again: asks if what is shown is old. */
  returned(): void {
    if (this.isOld() && [...this.watchers].some((one) => one.asks && one.asksOnReturn())) void this.ask();
    else this.plan();
  }

  /** Makes the time of the next request again, as when a watcher has changed its mind. */
  plan(): void {
    clearTimeout(this.next);
    if (this.flight) return;
    const lastAtMs = Math.max(this.dataAtMs, this.errorAtMs);
    const pauses = [...this.watchers].flatMap((one) => {
      const pause = one.asks && one.pauseMs(this.data, lastAtMs);
      return pause === false ? [] : [pause];
    });
    if (pauses.length === 0) return;
    this.next = setTimeout(
      () => {
        if (!this.isHidden()) void this.ask(); // else `returned` goes on
      },
      Math.min(...pauses),
    );
  }

  private isOld = (): boolean => this.isInvalidated || Date.now() - this.dataAtMs > FRESH_MS;

  private ask(): Promise<void> {
    if (this.flight) return this.flight.ended;
    const asker = [...this.watchers].findLast(({ asks }) => asks);
    if (!asker) return Promise.resolve();
    clearTimeout(this.next);
    const abort = new AbortController();
    const isCurrent = () => this.flight?.abort === abort;
    const soFar = (part: unknown): void => {
      if (isCurrent()) this.putPart(part);
    };
    const ended = asker.load(abort.signal, soFar).then(
      (data) => {
        if (isCurrent()) this.settle(() => this.put(data));
      },
      (thrown: unknown) => {
        if (!isCurrent()) return;
        this.settle(() => {
          this.error = thrown instanceof Error ? thrown : new Error(String(thrown));
          this.errorAtMs = Date.now();
        });
      },
    );
    this.flight = { abort, ended };
    if (this.data === undefined && this.error) {
      this.error = null;
      this.redraw();
    }
    return ended;
  }

  private settle(change: () => void): void {
    this.flight = undefined;
    change();
    this.plan();
    this.redraw();
  }

  private put(data: unknown): void {
    this.data = shared(this.data, data);
    this.dataAtMs = Date.now();
    this.error = null;
    this.isInvalidated = false;
    this.isPartial = false;
  }

  /** Data that is whole stays until the next whole data. */
  private putPart(part: unknown): void {
    if (this.data !== undefined && !this.isPartial) return;
    this.data = shared(this.data, part);
    this.isPartial = true;
    this.redraw();
  }

  private redraw(): void {
    for (const { redraw } of this.watchers) redraw();
  }

  private endLater(): void {
    clearTimeout(this.end);
    this.end = setTimeout(this.forget, FORGOTTEN_AFTER_MS);
  }
}

/** All queries by their keys. */
export class Queries {
  private readonly all = new Map<string, Query>();

  /** @param isHidden whether no user sees the window: then nothing is asked for by itself */
  constructor(private readonly isHidden: () => boolean) {}

  /** The query of a key, which is made if there is none. */
  of(key: readonly unknown[]): Query {
    const name = JSON.stringify(key);
    let query = this.all.get(name);
    if (!query) this.all.set(name, (query = new Query(key, this.isHidden, () => this.all.delete(name))));
    return query;
  }

  /** The data of all queries whose keys begin so. */
  dataOf<T>(key: readonly unknown[]): T[] {
    return this.beginningWith(key).flatMap(({ data }) => (data === undefined ? [] : [data as T]));
  }

  /** Marks queries whose keys begin so. What is shown is asked for again. */
  async invalidate(key: readonly unknown[]): Promise<void> {
    const found = this.beginningWith(key);
    for (const query of found) query.isInvalidated = true;
    await Promise.all(found.map((query) => query.askAgain()));
  }

  /** The window is visible again. */
  returned(): void {
    for (const query of this.all.values()) query.returned();
  }

  private beginningWith(key: readonly unknown[]): Query[] {
    const beginning = JSON.stringify(key).slice(0, -1);
    return [...this.all.entries()].flatMap(([name, query]) =>
      name === `${beginning}]` || name.startsWith(key.length > 0 ? `${beginning},` : beginning)
        ? [query]
        : [],
    );
  }
}
