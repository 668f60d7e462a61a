import { processIo } from './io';
import { main } from './main';

/** `quarterjack … | head`: nobody reads on, and that is fine. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

void main(process.argv.slice(2), processIo()).then((exitCode) => {
  process.exitCode = exitCode;
});
