import { useLayoutEffect } from 'preact/hooks';

import { preferences } from './preferences';

/** What a key does, with the words for the help. */
export interface Shortcut {
  /** One key, or two one after the other: `g j`. */
  keys: string;
  words: string;
  run(): void;
}

/** The shortcuts of the pages that are shown, the newest last. */
const present: (readonly Shortcut[])[] = [];
export const shortcuts = (): Shortcut[] => present.flat();

/** Makes shortcuts work while the component is shown. */
export function useShortcuts(own: readonly Shortcut[]): void {
  // At once: a key that follows acts on what the one before it has drawn.
  useLayoutEffect(() => {
    present.push(own);
    return () => void present.splice(present.indexOf(own), 1);
  });
}

/** Time for the second key. */
const SECOND_KEY_MS = 1_500;
let first: { key: string; atMs: number } | undefined;

/** Keys belong to fields, dialogs and the browser first. */
function isFree(event: KeyboardEvent): boolean {
  const { target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return false;
  if (!(target instanceof Element)) return true;
  // Enter follows the link and presses the button that has the focus.
  if (event.key === 'Enter' && target.closest('a, button, summary')) return false;
  return !target.closest('input, select, textarea, dialog, [contenteditable]');
}

function onKey(event: KeyboardEvent): void {
  if (!preferences.value.keys || !isFree(event)) return;
  const isSecond = first !== undefined && event.timeStamp - first.atMs < SECOND_KEY_MS;
  const wanted = isSecond ? `${first!.key} ${event.key}` : event.key;
  first = undefined;
  const found = shortcuts().findLast(({ keys }) => keys === wanted);
  if (found) {
    event.preventDefault();
    found.run();
  } else if (!isSecond && shortcuts().some(({ keys }) => keys.startsWith(`${event.key} `)))
    first = { key: event.key, atMs: event.timeStamp };
}

/** Listens from now on. */
export const listenToKeys = (): void => document.addEventListener('keydown', onKey);
