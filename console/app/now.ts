import { signal } from '@preact/signals';

/** The time, each second while the page is visible. */
export const now = signal(Date.now());

setInterval(() => {
  if (document.visibilityState === 'visible') now.value = Date.now();
}, 1_000);
document.addEventListener('visibilitychange', () => (now.value = Date.now()));
