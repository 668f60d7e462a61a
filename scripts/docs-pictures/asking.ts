import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

const MOST_TRIES = 5;
const BETWEEN_POLLS_MS = 500;
/** A busy machine needs some of it. */
const PATIENCE_MS = 600_000;

/** A local run, and headers of a request with these scopes; without a text, with the usual ones. */
export interface Api {
  url: string;
  headers(scope?: string): Promise<Record<string, string>>;
}

export interface Body {
  items?: { execId: string; status: string }[];
  execId?: string;
  [name: string]: unknown;
}

/** Requests of a user, and waiting for what they tell. */
export interface Asking {
  /** Throws for anything but 2xx. */
  ask(method: string, path: string, body?: object): Promise<Body>;
  /** Asks again until an answer will do. Throws after ten minutes. */
  until(path: string, isDone: (answer: Body) => boolean): Promise<Body>;
  /** Waits for so many items of a list. */
  some(path: string, least?: number): Promise<Body>;
  /** Starts a backfill; times in milliseconds. */
  backfill(jobId: string, fromMs: number, toMs: number, more?: object): Promise<Body>;
}

export function askingOf({ url, headers }: Api): Asking {
  const ask: Asking['ask'] = async (method, path, body) => {
    const once = { 'idempotency-key': randomUUID() };
    const send = async () =>
      fetch(`${url}/v1${path}`, {
        method,
        headers: { ...(await headers()), ...(method === 'POST' && once) },
        ...(body && { body: JSON.stringify(body) }),
      });
    let response = await send();
    // A busy machine: the API has given up, and a repeat does what is left.
    for (let tried = 1; response.status >= 500 && tried < MOST_TRIES; tried++) response = await send();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Body;
  };
  const until: Asking['until'] = async (path, isDone) => {
    for (const giveUpMs = Date.now() + PATIENCE_MS; ; await sleep(BETWEEN_POLLS_MS)) {
      const answer = await ask('GET', path);
      if (isDone(answer)) return answer;
      if (Date.now() > giveUpMs) throw new Error(`${path} is still ${JSON.stringify(answer).slice(0, 400)}`);
    }
  };
  return {
    ask,
    until,
    some: (path, least = 1) => until(path, ({ items = [] }) => items.length >= least),
    backfill: (jobId, fromMs, toMs, more = {}) =>
      ask('POST', `/jobs/${jobId}/backfills`, {
        from: new Date(fromMs).toISOString(),
        to: new Date(toMs).toISOString(),
        ...more,
      }),
  };
}
