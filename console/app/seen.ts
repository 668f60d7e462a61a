import { effect, type Signal, signal } from '@preact/signals';

import { project } from '../api/client';

/** Causes of failures that a reader of this browser has seen: when the last failure was that they saw. */
type Seen = Readonly<Record<string, number>>;

const KEY = 'quarterjack.seen';
const MOST = 500;

function read(): Seen {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Seen;
  } catch {
    return {}; // storage is switched off, or another program wrote there
  }
}

const seen: Signal<Seen> = signal(read());
const keyOf = (cause: string): string => `${project.value ?? ''} ${cause}`;

/** Whether nothing has failed so since it was marked. */
export const isSeen = (cause: string, lastMs: number): boolean => (seen.value[keyOf(cause)] ?? -1) >= lastMs;

export function markSeen(cause: string, lastMs: number): void {
  const entries = Object.entries({ ...seen.value, [keyOf(cause)]: lastMs });
  seen.value = Object.fromEntries(entries.sort((a, b) => b[1] - a[1]).slice(0, MOST));
}

export function markUnseen(cause: string): void {
  const { [keyOf(cause)]: _, ...rest } = seen.value;
  seen.value = rest;
}

effect(() => {
  try {
    localStorage.setItem(KEY, JSON.stringify(seen.value));
  } catch {
    // Without storage, the marks last as long as the page.
  }
});
