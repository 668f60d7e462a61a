import type { Command } from 'commander';

import type { Context } from '../context';
import { collect } from '../flag-values';
import type { McpFlags } from '../mcp/serve';
import type { Run } from '../run';

export function addMcpCommand(program: Command, run: Run): void {
  program
    .command('mcp')
    .description('Serve the tools of an agent over stdin and stdout, by the Model Context Protocol.')
    .option('--allow-writes', 'also tools that create, change, run, retry, pause, resume and cancel')
    .option('--allow-host <host>', 'with --allow-writes: a new host for targets; repeatable', collect)
    .addHelpText(
      'after',
      `
Tools only read, unless you give --allow-writes. That needs an API key. No tool deletes.

Examples:
  QUARTERJACK_TOKEN=qj_… quarterjack mcp --url https://jobs.example.com
  quarterjack mcp --profile prod --project billing`,
    )
    .action(
      run(async (context: Context, flags: McpFlags) => {
        // Other commands need neither the protocol nor its schemas.
        const { serveMcp } = await import('../mcp/serve.ts');
        await serveMcp(context, flags);
      }),
    );
}
