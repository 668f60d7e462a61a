// Imports the bundle that its argument names, as a new execution environment does. Prints the time that it
// took, in milliseconds.
import { pathToFileURL } from 'node:url';

const startMs = performance.now();
const { handler } = await import(pathToFileURL(process.argv[2]).href);
const initMs = performance.now() - startMs;
if (typeof handler !== 'function') throw new Error('the bundle exports no handler');
process.stdout.write(String(initMs));
process.exit(0);
