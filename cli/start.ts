import { processIo } from './io';
import { main } from './main';

/** `quarterjack … | head` closes the pipe early, which is not an error. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

const args = process.argv.slice(2);
void main(args, processIo()).then((exitCode) => {
  process.exitCode = exitCode;
  // A shell waits for completion, and the look-up of a host's name cannot be ended.
  if (args[0] === 'complete') process.exit();
});
