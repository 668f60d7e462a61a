import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { misfitOf } from '../../../cli/server-version';

const PAGE = readFileSync(join(__dirname, '../../../docs/upgrades.md'), 'utf8');
const OWN = '0.1.0';

/** Lines of the table: the server, what the command line says, and its exit code. */
const rows = [...PAGE.matchAll(/^\| (.+?) +\| (.+?) +\| (\d) +\|$/gm)].map(([, ...cells]) => cells);

test('the page has what the command line says of each server', () => {
  const said = rows.map(([server = '']) => {
    const [, version] = /^([\d.]+), v1$/.exec(server) ?? [];
    const misfit = misfitOf(version ? { version, api: 'v1', features: [] } : null, OWN);
    return [server, misfit ?? 'both versions', misfit === undefined ? '0' : '1'];
  });
  expect(rows).toHaveLength(3);
  expect(rows).toEqual(said);
});
