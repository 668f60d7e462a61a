import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';

import { CliError, explain } from '../../exit-codes';
import { manifestJobOf } from '../../../client/jobs-in-code/manifest-job';
import { loadModule } from '../load-module';
import type { Reader } from '../reading';
import { FINISH, type JobsMessage, type Loaded, MESSAGES } from './messages';

/** Where a program lists what it has imported since it was loaded. */
const LATER_MS = 100;

/**
 * A process that loads a module and serves its jobs over HTTP, until stdin ends. `finish` on stdin ends it
 * after the deliveries under way.
 */
export async function serveJobs(path: string, reader: Reader): Promise<void> {
  const server = createServer();
  endWithStdin(server);
  const out = new Socket({ fd: MESSAGES, readable: false, writable: true });
  out.on('error', () => undefined); // the reader has died: stdin ends too
  const tell = (message: JobsMessage) => out.write(`${JSON.stringify(message)}\n`);
  const files = new Set([path]);
  const tellLater = tellTogether((later) => tell({ later }));
  let isLoaded = false;
  const onFile = (file: string) => {
    if (files.has(file)) return;
    files.add(file);
    if (isLoaded) tellLater(file);
  };
  try {
    tell({ ...(await served(server, path, reader, onFile)), files: [...files] });
  } catch (error) {
    tell({ error: explain(error), files: [...files] });
  }
  isLoaded = true;
}

async function served(
  server: Server,
  path: string,
  reader: Reader,
  onFile: (file: string) => void,
): Promise<Omit<Loaded, 'files'>> {
  const { jobs, unexported, serve } = await loadModule(path, reader, onFile);
  if (jobs.length === 0) throw new CliError(`${path}: it exports no job`);
  if (!serve) throw new CliError(`${path}: its package quarterjack is too old: npm i quarterjack@latest`);
  // Jobs are registered under their own ids here, whatever the environment says of a deployment.
  const { node } = serve(jobs, { prefix: '' });
  server.on('request', (request, response) => void node(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return { port, jobs: jobs.map((job) => manifestJobOf(job).job), unexported };
}

function endWithStdin(server: Server): void {
  let said = '';
  process.stdin.on('data', (chunk: Buffer) => {
    said += chunk.toString();
    if (!said.includes(FINISH)) return;
    server.close(() => process.exit());
    server.closeIdleConnections();
  });
  process.stdin.on('end', () => process.exit());
}

/** Calls `tell` with the values of a short time. */
function tellTogether(tell: (values: string[]) => void): (value: string) => void {
  let values: string[] = [];
  return (value) => {
    if (values.push(value) > 1) return;
    setTimeout(() => {
      tell(values);
      values = [];
    }, LATER_MS).unref();
  };
}
