import { REPOSITORY } from './names.mjs';

const LINK = /\[([^\]]+)\]\((?![a-z][a-z0-9+.-]*:|#)[^)\s]+\)/g;

/** The changelog as a package has it: no page that it links to is in there, so one link has them all. */
export const packagedChangelog = (markdown, version) =>
  `${markdown.replace(LINK, '$1').trimEnd()}\n\nWith its links: <${REPOSITORY}/blob/v${version}/CHANGELOG.md>\n`;
