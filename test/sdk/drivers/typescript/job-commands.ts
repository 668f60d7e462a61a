import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { manifestJobOf } from '../../../../client/jobs-in-code/manifest-job';
import { manifestOf, manifestText } from '../../../../cli/jobs-in-code/manifest';
import { defineJob, MemoryFenceStore, serve, type StandardSchema } from '../../../../client/jobs-in-code';
import { LambdaError } from './errors';
import type { Command } from './messages';
import { play } from './steps';

export const SERVES = ['node', 'fetch'];

/** What a typed job takes. */
const ORDER: StandardSchema<unknown> = {
  '~standard': {
    version: 1,
    vendor: 'test',
    validate(value) {
      const { orderId, amount = 1 } = Object(value) as Record<string, unknown>;
      if (typeof orderId === 'string' && Number.isInteger(amount)) return { value };
      return { issues: [{ message: 'no order', path: ['orderId'] }] };
    },
  },
};

export const definedJob = ({ id, steps = [], typed, ...fields }: Record<string, any>) =>
  defineJob({
    id,
    ...fields,
    ...(typed === true && { schema: ORDER }),
    run: ({ payload, signal, log, progress, ...ids }) => {
      const lines = (text: string, stream?: string) =>
        stream === 'stderr' ? log.error(text) : log.info(text);
      return play(steps, { ids, payload, signal, log: lines, progress });
    },
  });

export const jobCommands = {
  async serve({ as, secrets, jobs, prefix, fences }: Command): Promise<object> {
    const fenceStore = fences === true ? new MemoryFenceStore() : undefined;
    const served = serve(jobs.map(definedJob), { secret: secrets, prefix, fenceStore });
    const server = createServer((request, response) => {
      if (as === 'node') return void served.node(request, response);
      const headers = new Headers();
      for (let at = 0; at < request.rawHeaders.length; at += 2)
        headers.append(request.rawHeaders[at]!, request.rawHeaders[at + 1]!);
      const gone = new AbortController();
      response.once('close', () => gone.abort());
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const init = { method: 'POST', headers, body: Buffer.concat(chunks), signal: gone.signal };
        void served.fetch(new Request('http://127.0.0.1/', init)).then(async (answer) => {
          response.writeHead(answer.status, Object.fromEntries(answer.headers));
          response.end(Buffer.from(await answer.arrayBuffer()));
        });
      });
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  },
  async invoke({ jobs, event, custom, project, prefix }: Command): Promise<unknown> {
    const { lambda } = serve(jobs.map(definedJob), { project, prefix });
    try {
      return await lambda(event, { clientContext: { custom } });
    } catch (error) {
      throw error instanceof Error ? new LambdaError(error) : error;
    }
  },
  define({ jobs, source }: Command): string {
    return manifestText(
      manifestOf(
        jobs.map(definedJob).map((job: never) => manifestJobOf(job).job),
        source,
      ),
    );
  },
};
