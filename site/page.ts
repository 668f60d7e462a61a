/** A page of the site, before it is drawn. */
export interface Page {
  /** The file of the checkout that it is. One that is generated has the name that it would have there. */
  file: string;
  /** Where it is in the site, without an ending: `schedules`, `adr/0002-recheck`. */
  path: string;
  title: string;
  /** Markdown. Its links are relative to `file`. */
  text: string;
  /** The page of the contents that it belongs below, if it is none of them itself. */
  parent?: string;
  /** The checkout has no such file. */
  generated: boolean;
}

export const HOME = 'README.md';
export const CONTENTS = 'docs/README.md';
export const API = 'docs/api.md';

/** `docs/schedules.md` is at `schedules`, `docs/adr/README.md` at `adr`. */
export function pathOf(file: string): string {
  if (file === HOME) return 'index';
  if (file === CONTENTS) return 'contents';
  return file.replace(/^docs\//, '').replace(/(\/README)?\.md$/, '');
}

export function pageOf(
  file: string,
  text: string,
  { parent, generated = true }: { parent?: string; generated?: boolean } = {},
): Page {
  const title = /^# (.+)$/m.exec(text)?.[1]?.replace(/[`*]/g, '');
  if (title === undefined) throw new Error(`${file} has no heading of level 1`);
  return { file, path: pathOf(file), title, text, parent, generated };
}
