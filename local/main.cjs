// `npm start` without a loader for TypeScript, which would take as long as all the rest of a start.
const { stdout } = process;
// The first line comes before anything is loaded. On a terminal, the program draws over it.
const drawsOver = stdout.isTTY && process.env.TERM !== 'dumb';
const quiet = ['--help', '--json', '--quiet'].some((flag) => process.argv.includes(flag));
if (!quiet) stdout.write(drawsOver ? 'starting ...' : 'starting ...\n');

const nodeModule = require('node:module');
const { join } = require('node:path');

const { faultText, programFile } = require('./machine/program.cjs');

// Node.js 22 and newer keep the compiled code too.
nodeModule.enableCompileCache?.(join(__dirname, '../.quarterjack/cache/compiled'));

const onBuild = () => {
  if (drawsOver) stdout.write('\n');
  if (!quiet) stdout.write('building the program; later starts reuse it ...\n');
};

programFile('local/cli.ts', onBuild).then(
  (file) => require(file),
  (error) => {
    process.stderr.write(`quarterjack: ${faultText(error)}\n`);
    process.exit(1);
  },
);
