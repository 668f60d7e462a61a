import { type LocalRun, start } from '../../../local/start';
import { dieAtWrite } from './die-at-write';
import type { HostReply, HostCommand, Started, TimedRowWrite } from './host-protocol';

/** A local run in its own process, controlled by messages of the parent process. */
let run: LocalRun | undefined;
const rowWrites: TimedRowWrite[] = [];

async function execute(command: HostCommand): Promise<HostReply['value']> {
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
  if (command.kind === 'dieAtWrite') return dieAtWrite(command);
  if (command.kind === 'killWorker') return run.killWorker(command.functionLogicalId);
  if (command.kind === 'decisions') return run.decisions().slice(command.from);
  if (command.kind === 'rowWrites') return rowWrites;
  await run.stop();
  return undefined;
}

process.on('message', (command: HostCommand) => {
  execute(command).then(
    (value) => process.send?.({ id: command.id, value } satisfies HostReply),
    (error: Error) => process.send?.({ id: command.id, error: error.message } satisfies HostReply),
  );
});
process.on('disconnect', () => process.exit());
// Tells the parent that the process is ready for commands.
process.send?.({ id: 0 } satisfies HostReply);
