/**
 * `npm run check`: the checks to run first, in less than a minute. Prints how long each step took, and the
 * whole output of each step that failed.
 */
import { spawn } from 'node:child_process';

/** Scripts of package.json: lanes go side by side, the steps of one lane one after the other. */
const LANES = [['types', 'lint', 'format:check'], ['test:unit']];

/**
 * The compiler and the linter of types are Go programs that live for seconds. A third of their time goes into
 * collecting garbage; without that, they need one gigabyte as before.
 */
const ENV = { GOGC: 'off', GOMEMLIMIT: '3GiB', ...process.env };

const secondsSince = (startMs) => `${((performance.now() - startMs) / 1_000).toFixed(1)} s`;

/** Whether the script ends with 0. */
async function run(script) {
  const startMs = performance.now();
  const child = spawn('npm', ['run', '--silent', script], { stdio: ['ignore', 'pipe', 'pipe'], env: ENV });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  const code = await new Promise((done, fail) => child.once('error', fail).once('close', done));
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'}  ${script.padEnd(12)}  ${secondsSince(startMs)}`);
  if (code !== 0) console.log(said.trimEnd());
  return code === 0;
}

/** All steps, though one fails: the next one may have more to say. */
async function runLane(scripts) {
  let allPassed = true;
  for (const script of scripts) allPassed = (await run(script)) && allPassed;
  return allPassed;
}

const startMs = performance.now();
const passed = await Promise.all(LANES.map(runLane));
console.log(`check: ${secondsSince(startMs)}`);
process.exitCode = passed.every(Boolean) ? 0 : 1;
