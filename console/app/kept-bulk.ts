import type { Keep, KeptBulk } from '../api/bulk';
import { withValues } from './address';

const NAME = 'bulk';
const storageKeyOf = (key: string): string => `quarterjack.bulk.${key}`;

/** The bulk that the address named when the page was loaded. */
export const bulkAtStart = new URLSearchParams(location.search).get(NAME);

/**
 * Names a bulk in the address, and keeps it in this tab. The address alone is not enough to go on: no one
 * else can make a link that does something to many.
 */
export const keepBulk: Keep = (key, kept) => {
  try {
    if (kept) sessionStorage.setItem(storageKeyOf(key), JSON.stringify(kept));
    else sessionStorage.removeItem(storageKeyOf(key));
  } catch {
    return; // storage is switched off: the bulk ends with the page
  }
  const query = withValues(location.search, { [NAME]: kept ? key : '' }).toString();
  history.replaceState(history.state, '', location.pathname + (query && `?${query}`));
};

/** The bulk that was left; undefined if this tab has none of this key. */
export function keptBulk(key: string): KeptBulk | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(storageKeyOf(key)) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}
