import { createInterface } from 'node:readline';

import { clientCommands } from './client-commands';
import { deliveryCommands } from './delivery-commands';
import { errorOf } from './errors';
import { jobCommands, SERVES } from './job-commands';
import { type Command, write } from './messages';
import { openGate } from './steps';
import { workerCommands } from './worker-commands';

/** The driver of the TypeScript SDK: see `test/sdk/README.md`. */
const COMMANDS: Readonly<Record<string, (command: Command) => unknown>> = {
  ...clientCommands,
  ...deliveryCommands,
  ...workerCommands,
  ...jobCommands,
  'open-gate': ({ gate }) => openGate(gate),
};

async function answer(line: string): Promise<void> {
  const command = JSON.parse(line) as Command & { n: number };
  const { n } = command;
  try {
    const act = COMMANDS[command.do];
    if (!act) throw new Error(`unknown command ${command.do}`);
    write({ n, ok: (await act(command)) ?? null });
  } catch (error) {
    write({ n, error: errorOf(error) });
  }
}

write({ event: 'ready', language: 'typescript', protocol: 1, serves: SERVES });
createInterface(process.stdin)
  .on('line', (line) => void answer(line))
  .on('close', () => process.exit(0));
