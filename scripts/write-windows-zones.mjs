/**
 * Writes `client/ics/windows-zones.ts`: the IANA zone of each zone of Windows. The table is that of the
 * Unicode CLDR (windowsZones, territory 001), as the package `windows-iana` has it. Run it after an update of
 * the package.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { WINDOWS_TO_IANA_MAP } from 'windows-iana';

import { root } from './built-files.mjs';

const rows = WINDOWS_TO_IANA_MAP.filter(({ territory }) => territory === '001')
  .map(({ windowsName, iana }) => [windowsName, iana[0]])
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([name, iana]) => `  ${/^\w+$/.test(name) ? name : `'${name}'`}: '${iana}',`);

writeFileSync(
  join(root, 'client/ics/windows-zones.ts'),
  `// Written by scripts/write-windows-zones.mjs from the table of the Unicode CLDR.

/** The IANA zone of each zone of Windows, as Exchange names them. */
export const WINDOWS_ZONES: Readonly<Partial<Record<string, string>>> = {
${rows.join('\n')}
};

const BY_LOWER_CASE = new Map(
  Object.entries(WINDOWS_ZONES).map(([name, zone]) => [name.toLowerCase(), zone]),
);

/** The IANA zone of a name of Windows, in any case. */
export const windowsZone = (name: string): string | undefined => BY_LOWER_CASE.get(name.toLowerCase());

/** That of a name which Windows shows: \`Eastern Daylight Time\`, \`(UTC-05:00) Eastern Time (US & Canada)\`. */
export function shownWindowsZone(shown: string): string | undefined {
  const [, region] = /^\\s*(?:\\([^)]*\\)\\s*)?(.+?)(?: (?:Standard|Daylight|Summer))? Time\\b/i.exec(shown) ?? [];
  return region === undefined
    ? undefined
    : (windowsZone(shown.trim()) ?? windowsZone(\`\${region} Standard Time\`));
}
`,
);
