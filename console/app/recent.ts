/** The pages that were open in this tab, newest first, for the find. */
const MOST = 6;
let pages: readonly { path: string; title: string }[] = [];

export function remember(path: string, title: string): void {
  pages = [{ path, title }, ...pages.filter((one) => one.path !== path)].slice(0, MOST);
}

export const recentPages = (): typeof pages => pages;
