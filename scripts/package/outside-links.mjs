import { REPOSITORY } from './names.mjs';

const RELATIVE = /\]\((?![a-z][a-z0-9+.-]*:|#)([^)\s]+)\)/g;

/** A page of the checkout as a package has it: its links lead to the repository. */
export const withOutsideLinks = (markdown, version) =>
  markdown.replace(RELATIVE, (_, path) => `](${REPOSITORY}/blob/v${version}/${path})`);
