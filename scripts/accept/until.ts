import type { Site } from './site/site';

const STEP_MS = 250;

/**
 * Reads until `isDone`, or until the site's patience is at its end, and returns what was read last. The
 * caller says what is wrong with that. `patienceMs` is for what AWS itself shows late.
 */
export async function until<T>(
  site: Pick<Site, 'nowMs' | 'sleep' | 'sizes' | 'kind'>,
  read: () => Promise<T>,
  isDone: (read: T) => boolean,
  patienceMs = site.sizes.patienceMs,
): Promise<T> {
  const endMs = site.nowMs() + patienceMs;
  for (;;) {
    const last = await read();
    if (isDone(last) || site.nowMs() >= endMs) return last;
    // In AWS, each read is billed, and what it waits for takes seconds.
    await site.sleep(site.kind === 'local' ? STEP_MS : 8 * STEP_MS);
  }
}
