import { installed } from './package-try/combination.mjs';

/** The versions of Node.js that are supported, by their major version. */
export const NODES = { 20: '20.20.2', 22: '22.23.3', 24: '24.9.0' };

const isOwn = (major) => process.versions.node.startsWith(`${major}.`);

/** The supported major versions that are not the one that runs this. */
export const otherMajors = () => Object.keys(NODES).filter((major) => !isOwn(major));

/**
 * The path of a Node.js with this major version. If that does not run this, npm installs one into the folder.
 * Throws what npm says.
 */
export async function nodeOf(folder, major) {
  if (isOwn(major)) return process.execPath;
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  return installed(folder, `${name}@${NODES[major]}`, `${name}/bin/node`);
}
