import { posix } from 'node:path';

import MarkdownIt from 'markdown-it';

/** One line of the contents. */
export interface Entry {
  /** A file of the checkout. */
  file: string;
  title: string;
  /** What the line says behind the link, as plain text. */
  summary: string;
}

export interface Group {
  title: string;
  entries: Entry[];
}

export interface Part {
  title: string;
  groups: Group[];
}

/** All lines of a part, in their order. */
export const entriesOf = ({ groups }: Part): Entry[] => groups.flatMap(({ entries }) => entries);

/**
 * The contents of the site. A heading of level 2 is a part, one of level 3 a group. Each item of a list is a
 * page, and begins with a link to it. `folder` is that of the page with the contents.
 */
export function partsOf(text: string, folder: string): Part[] {
  const parts: Part[] = [];
  const tokens = new MarkdownIt().parse(text, {});
  for (const [index, token] of tokens.entries()) {
    const inline = tokens[index + 1];
    if (token.type === 'heading_open' && token.tag === 'h2')
      parts.push({ title: inline!.content, groups: [] });
    if (token.type === 'heading_open' && token.tag === 'h3')
      parts.at(-1)?.groups.push({ title: inline!.content, entries: [] });
    if (token.type === 'list_item_open') {
      const [open, name, , ...rest] = tokens[index + 2]!.children!;
      const link = open?.type === 'link_open' ? open.attrGet('href') : null;
      if (typeof link !== 'string')
        throw new Error(`the item "${tokens[index + 2]!.content}" begins with no link`);
      const group = parts.at(-1)?.groups.at(-1);
      if (!group)
        throw new Error(`the item "${tokens[index + 2]!.content}" comes before a heading of level 3`);
      group.entries.push({
        file: fileOf(link, folder),
        title: plainText([name!]),
        summary: plainText(rest).replace(/^: /, ''),
      });
    }
  }
  return parts;
}

/** A link to a folder is one to its README. */
const fileOf = (link: string, folder: string): string =>
  posix.join(folder, link.endsWith('/') ? `${link}README.md` : link);

/** The text of inline tokens without marks. */
export const plainText = (tokens: readonly { type: string; content: string }[]): string =>
  tokens.map(({ type, content }) => (type === 'softbreak' ? ' ' : content)).join('');
