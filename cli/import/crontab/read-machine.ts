import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { CliError } from '../../exit-codes';
import { type Crontab, readCrontab } from './read-crontab';

/** A crontab, and its name in notes. */
export interface NamedCrontab {
  path: string;
  crontab: Crontab;
}

/** The directories of users' crontabs: Debian's, then that of other systems. */
const SPOOLS = ['var/spool/cron/crontabs', 'var/spool/cron', 'var/spool/cron/tabs'];
/** Cron skips files with other names, such as backups of editors and packages. */
const SYSTEM_NAME = /^[A-Za-z0-9_-]+$/;
const USER_NAME = /^[A-Za-z_][\w.-]*$/;

/**
 * All crontabs of a machine: /etc/crontab, /etc/cron.d, and those of its users. `root` is the directory that
 * is `/` on that machine. Throws a `CliError` if one cannot be read, which takes root's rights.
 */
export function readMachine(root = '/'): NamedCrontab[] {
  const main = existsSync(join(root, 'etc/crontab')) ? ['etc/crontab'] : [];
  const system = [...main, ...namesIn(root, 'etc/cron.d', SYSTEM_NAME)];
  const spool = SPOOLS.find((path) => existsSync(join(root, path)));
  const users = spool === undefined ? [] : namesIn(root, spool, USER_NAME);
  if (system.length + users.length === 0)
    throw new CliError(`no crontab in ${join(root, 'etc')} and ${join(root, SPOOLS[0]!)}`);
  return [
    ...system.map((path) => ({
      path: join('/', path),
      crontab: readCrontab(textOf(join(root, path)), { system: true }),
    })),
    ...users.map((path) => ({ path: join('/', path), crontab: ofUser(textOf(join(root, path)), path) })),
  ];
}

/** The lines of a user's crontab name no user: its file does. */
function ofUser(text: string, path: string): Crontab {
  const { entries, unreadable } = readCrontab(text, { system: false });
  const user = path.split('/').at(-1)!;
  return { entries: entries.map((entry) => ({ ...entry, user })), unreadable };
}

function namesIn(root: string, directory: string, name: RegExp): string[] {
  const path = join(root, directory);
  if (!existsSync(path)) return [];
  const files = readable(path, () => readdirSync(path, { withFileTypes: true }));
  return files
    .filter((file) => file.isFile() && name.test(file.name))
    .map((file) => join(directory, file.name))
    .toSorted();
}

const textOf = (path: string): string => readable(path, () => readFileSync(path, 'utf8'));

function readable<Result>(path: string, read: () => Result): Result {
  try {
    return read();
  } catch (cause) {
    throw new CliError(
      `${path} cannot be read: ${(cause as Error).message}; run the import as root`,
      undefined,
      {
        cause,
      },
    );
  }
}
