const BASE = '/console/';

/**
 * The address to go back to after the sign-in, as path, query and fragment. Whatever does not lead to the
 * console of this origin becomes its first page.
 */
export function returnAddress(text: string, origin: string): string {
  if (!URL.canParse(text, origin)) return BASE;
  const url = new URL(text, origin);
  const isOwn = url.origin === origin && url.pathname.startsWith(BASE);
  return isOwn ? url.pathname + url.search + url.hash : BASE;
}
