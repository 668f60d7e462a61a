import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';

import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';

import { Quarterjack } from '../../client';
import type { Context } from '../context';
import { CliError } from '../exit-codes';
import { version } from '../version';
import { mcpServer } from './server';

export interface McpFlags {
  allowWrites?: true;
  allowHost?: string[];
}

/** Serves one client over stdin and stdout, until it closes them. */
export async function serveMcp(context: Context, { allowWrites, allowHost = [] }: McpFlags): Promise<void> {
  const client = new Quarterjack(context.connection());
  const { by, project } = await client.me();
  if (project === null)
    throw new CliError('the token has several projects, or none: name one with --project');
  if (allowWrites && !by.via.startsWith('key:'))
    throw new CliError(
      '--allow-writes needs an API key as QUARTERJACK_TOKEN: quarterjack keys create --help',
    );
  const pending = new Set<Promise<unknown>>();
  const deps = {
    client,
    nowMs: context.io.nowMs,
    version: version(),
    allowWrites: allowWrites === true,
    allowed: allowHost,
    secret: randomUUID(),
  };
  const server = mcpServer(deps, pending);
  const closed = new Promise<void>((resolve) => process.stdin.once('end', resolve).once('close', resolve));
  await server.connect(new StdioServerTransport());
  context.say(`quarterjack mcp serves project ${project}, ${allowWrites ? 'with writes' : 'to read'}`);
  await closed;
  // What was asked before the end is answered.
  for (await setImmediate(); pending.size > 0; await setImmediate()) await Promise.all(pending);
  await server.close();
}
