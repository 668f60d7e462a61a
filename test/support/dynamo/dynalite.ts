import type { AddressInfo } from 'node:net';

import dynalite from 'dynalite';

/** dynalite in this process, in memory, on a port of its own. */
export async function startDynalite(): Promise<{ endpoint: string; stop: () => Promise<void> }> {
  const server = dynalite({ createTableMs: 0, deleteTableMs: 0 });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise((resolve, reject) => server.close((error) => (error ? reject(error) : resolve()))),
  };
}
