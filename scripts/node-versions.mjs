import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The versions of Node.js that are supported, by their major version. */
export const NODES = { 20: '20.20.2', 22: '22.23.3', 24: '24.9.0' };

const isOwn = (major) => process.versions.node.startsWith(`${major}.`);

/** The supported major versions that are not the one that runs this. */
export const otherMajors = () => Object.keys(NODES).filter((major) => !isOwn(major));

/** The oldest and the newest supported one, unless it runs this. */
export function outerMajors() {
  const majors = Object.keys(NODES);
  return otherMajors().filter((major) => major === majors[0] || major === majors.at(-1));
}

/**
 * The path of a Node.js with this major version. If that does not run this, npm installs one into the folder.
 * Throws what npm says.
 */
export async function nodeOf(folder, major) {
  if (isOwn(major)) return process.execPath;
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  return installed(folder, `${name}@${NODES[major]}`, `${name}/bin/node`);
}

/** Installs a program from the registry into a folder of its own. Returns the path of a file in it. */
async function installed(folder, spec, file) {
  const own = join(folder, spec.replace(/[^\w.-]/g, '_'));
  mkdirSync(own, { recursive: true });
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  await promisify(execFile)('npm', ['install', '--prefix', own, ...flags, spec]);
  return join(own, 'node_modules', file);
}
