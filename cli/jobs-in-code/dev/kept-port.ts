import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const fileIn = (dataDir: string): string => join(dataDir, 'relay-port');

/** The port to which the jobs of a former run with this data are sent; undefined if there was none. */
export function keptPort(dataDir: string): number | undefined {
  const file = fileIn(dataDir);
  const port = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : undefined;
}

export const keepPort = (dataDir: string, port: number): void => writeFileSync(fileIn(dataDir), `${port}\n`);
