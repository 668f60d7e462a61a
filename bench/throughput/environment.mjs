// One execution environment as a process: it imports the bundle named by its argument, and runs events in
// turn.
import { pathToFileURL } from 'node:url';

const { handler } = await import(pathToFileURL(process.argv[2]).href);

/** As Lambda provides it. The deadline is far away. */
const context = {
  awsRequestId: 'bench',
  functionName: process.env.AWS_LAMBDA_FUNCTION_NAME,
  functionVersion: '$LATEST',
  memoryLimitInMB: process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
  getRemainingTimeInMillis: () => 600_000,
};

async function run(events) {
  const cpu = process.cpuUsage();
  const startMs = performance.now();
  const results = [];
  for (const event of events) results.push(await handler(JSON.parse(event), context));
  const { user, system } = process.cpuUsage(cpu);
  process.send({ results, wallMs: performance.now() - startMs, cpuMs: (user + system) / 1_000 });
}

process.on('message', (events) => void run(events));
process.on('disconnect', () => process.exit(0));
process.send('ready');
