import { type LocalRun, start } from '../../../local/start';
import type { HostAnswer, HostCommand, Started, TimedRowWrite } from './host-protocol';

/** A local run in a process of its own, steered over the channel to its parent. */
let run: LocalRun | undefined;
const rowWrites: TimedRowWrite[] = [];

async function obey(command: HostCommand): Promise<HostAnswer['value']> {
  if (command.kind === 'start') {
    const { keepsRowWrites, ...options } = command.options;
    run = await start({
      ...options,
      out: () => undefined,
      ...(keepsRowWrites && { onRowWrite: (write) => rowWrites.push({ t: Date.now(), ...write }) }),
    });
    const { url, awsEndpointUrl, region, operator, dataDir } = run;
    const queueUrls = Object.fromEntries(run.stack.queues.map((queue) => [queue.logicalId, queue.url]));
    const functionNames = Object.fromEntries(
      run.stack.functions.map(({ logicalId, name }) => [logicalId, name]),
    );
    const token = await run.token('alice');
    const here = { url, awsEndpointUrl, region, operator, dataDir };
    return { ...here, token, queueUrls, functionNames } satisfies Started;
  }
  if (!run) throw new Error('not started');
  if (command.kind === 'killWorker') return run.killWorker(command.functionLogicalId);
  if (command.kind === 'decisions') return run.decisions().slice(command.from);
  if (command.kind === 'rowWrites') return rowWrites;
  await run.stop();
  return undefined;
}

process.on('message', (command: HostCommand) => {
  obey(command).then(
    (value) => process.send?.({ id: command.id, value } satisfies HostAnswer),
    (error: Error) => process.send?.({ id: command.id, error: error.message } satisfies HostAnswer),
  );
});
process.on('disconnect', () => process.exit());
// Tells the parent that commands are heard from now on.
process.send?.({ id: 0 } satisfies HostAnswer);
