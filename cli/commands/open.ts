import type { Command } from 'commander';

import type { Context } from '../context';
import { execIdOf } from '../execution-id';
import type { Run } from '../run';

export function addOpenCommand(program: Command, run: Run): void {
  program
    .command('open <jobId> [execId]')
    .description('Print the address of a job or an execution in the web console. A terminal opens it too.')
    .addHelpText('after', '\nExamples:\n  quarterjack open report\n  quarterjack open report latest')
    .action(
      run(async (context: Context, _flags: object, jobId: string, execId: string | undefined) => {
        const { url, project } = context.connection();
        const id = execId === undefined ? undefined : await execIdOf(context.client(), jobId, execId);
        const parts = ['jobs', jobId, ...(id === undefined ? [] : ['executions', id])];
        const page = `${url.replace(/\/+$/, '')}/console/${parts.map(encodeURIComponent).join('/')}`;
        const address = project === undefined ? page : `${page}?project=${encodeURIComponent(project)}`;
        context.print({ url: address }, () => `${address}\n`);
        if (context.io.stdout.isTTY === true && !context.json) await context.io.openBrowser(address);
      }),
    );
}
