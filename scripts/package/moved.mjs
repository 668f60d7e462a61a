import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { CDK, CLI, CLIENT } from './names.mjs';

/**
 * Files under former names, which throw an error with the new one. `names` are what the module exported: an
 * import of a name is checked before the module runs, so each of them has to be there. Their types say it to
 * the compiler.
 */
export function writeMoved(folder, { client, cdk }) {
  const toClient = `'${CLIENT}/client' is now '${CLIENT}'`;
  writeModule(folder, 'client', { names: client, said: `${toClient}, with the same names` });
  const toCdk = `'${CLIENT}/cdk' is now the package '${CDK}'`;
  writeModule(folder, 'cdk', { names: cdk, said: `${toCdk}: npm install ${CDK}` });
  writeFileSync(join(folder, 'bin.js'), BIN);
}

function writeModule(folder, name, { names, said }) {
  const code = `'use strict';\nthrow new Error(${JSON.stringify(said)});\n0 && (module.exports = { ${names.join(', ')} });\n`;
  // Without an export list, a file of types exports all that it declares.
  const types = `declare const moved: { moved: ${JSON.stringify(said)} };
export declare const ${names.map((one) => `${one}: typeof moved`).join(', ')};
export {};\n`;
  writeFileSync(join(folder, `${name}.js`), code);
  writeFileSync(join(folder, `${name}.d.ts`), types);
}

/** Where both packages are installed, a package manager may link this file in place of the command line. */
const BIN = `#!/usr/bin/env node
'use strict';
const { dirname, join } = require('node:path');
let manifest;
try {
  manifest = require.resolve('${CLI}/package.json', { paths: [process.cwd(), __dirname] });
} catch {
  process.stderr.write('quarterjack: the command line is the package ${CLI}: run npx ${CLI}\\n');
  process.exitCode = 1;
}
if (manifest) require(join(dirname(manifest), 'bin.cjs'));
`;
