// Imports the bundle that the first argument names, and has it handle the event in the second: the first
// request of a new execution environment. Prints the milliseconds of both together.
import { pathToFileURL } from 'node:url';

const [, , bundle, event] = process.argv;
const startMs = performance.now();
const { handler } = await import(pathToFileURL(bundle).href);
const { context } = await handler(JSON.parse(event), { awsRequestId: 'bench', functionName: 'authorizer' });
const elapsedMs = performance.now() - startMs;
if (context?.sub !== 'bench') throw new Error(`the token was not verified: ${JSON.stringify(context)}`);
process.stdout.write(`\n${elapsedMs}`);
process.exit(0);
