// `npm start` without a loader for TypeScript, which would take as long as all the rest of a start.
const nodeModule = require('node:module');
const { join } = require('node:path');

const { programFile } = require('./machine/program.cjs');

// Node.js 22 and newer keep the compiled code too.
nodeModule.enableCompileCache?.(join(__dirname, '../.quarterjack/cache/compiled'));

programFile('local/cli.ts', () =>
  process.stdout.write('building the program; later starts reuse it ...\n'),
).then(
  (file) => require(file),
  (error) => {
    process.stderr.write(`quarterjack: ${error.stack}\n`);
    process.exit(1);
  },
);
