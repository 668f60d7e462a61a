/** What is typed and not saved outlives a reload of the tab, also one that the console asks for. */
export interface KeptText {
  text: string;
  /** What it was typed over. */
  base: string;
}

const KEY = 'quarterjack.typed';
/** A text belongs to the address of its page, without what changes while it is read. */
const nameOfPage = (): string => {
  const { pathname, search } = location;
  const query = new URLSearchParams(search);
  return [KEY, pathname, query.get('kind'), query.get('from')].join(' ');
};

/** Keeps a text for the page of now. One that is as saved is forgotten. */
export function keepText(text: string, base: string): void {
  try {
    if (text === base) sessionStorage.removeItem(nameOfPage());
    else sessionStorage.setItem(nameOfPage(), JSON.stringify({ text, base } satisfies KeptText));
  } catch {
    // Without storage, or beyond its size, the text lasts as long as the page.
  }
}

/** What was typed on this page before it was loaded. */
export function keptText(): KeptText | undefined {
  try {
    return (JSON.parse(sessionStorage.getItem(nameOfPage()) ?? 'null') as KeptText | null) ?? undefined;
  } catch {
    return undefined;
  }
}

/** It is saved: another edit begins with what the API has. */
export const forgetText = (): void => keepText('', '');
