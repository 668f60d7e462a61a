import { processIo } from './io';
import { main } from './main';

/** `quarterjack … | head` closes the pipe early, which is not an error. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

void main(process.argv.slice(2), processIo()).then((exitCode) => {
  process.exitCode = exitCode;
});
