import type { Command } from 'commander';

import type { EventToSend, SentEvent } from '../../client';
import type { Context } from '../context';
import { collect } from '../flag-values';
import { jsonOf } from '../json-argument';
import type { Run } from '../run';
import { fields, plain } from '../terminal/table';
import { instantText } from '../terminal/times';
import { EXECUTION_COLUMN } from './execution-text';

interface EventFlags {
  data?: string;
  key?: string;
  id?: string;
  runTag?: string[];
  externalId?: string;
}

export function addEventCommands(program: Command, run: Run): void {
  const events = program.command('events').description('Send events to the jobs that wait for them.');

  events
    .command('send <name>')
    .description('Send an event. It starts each job whose schedule waits for it.')
    .option('--data <json>', 'JSON: the payload of the executions, and what `where` of a schedule compares')
    .option('--key <text>', 'what `debounce` of a schedule counts by')
    .option('--id <text>', 'the same id starts each job once (default: a new one)')
    .option('--run-tag <text>', 'what its executions are found by; repeatable, at most 5', collect)
    .option('--external-id <text>', 'the name of its executions in your own system')
    .addHelpText(
      'after',
      `
Examples:
  quarterjack events send order.paid --data '{"order":42,"region":"eu"}'
  quarterjack events send order.paid --id evt-42 --data '{"order":42}'
  quarterjack jobs create receipt --schedule 'event order.paid' --http https://example.com/hook`,
    )
    .action(run(sendEvent));
}

async function sendEvent(context: Context, flags: EventFlags, name: string): Promise<void> {
  const { data, key, id, runTag: runTags, externalId } = flags;
  const event: EventToSend = {
    name,
    ...(key !== undefined && { key }),
    ...(id !== undefined && { id }),
    ...(data !== undefined && { data: jsonOf('--data', data) }),
    ...(runTags && { runTags }),
    ...(externalId !== undefined && { externalId }),
  };
  const sent = await context.client().sendEvent(event);
  context.print(sent, () => eventText(sent, context));
}

function eventText({ eventId, name, runs, replayed }: SentEvent, { style, table }: Context): string {
  const head = fields([
    ['event', style.strong(plain(name))],
    ['id', plain(eventId)],
    ['replayed', replayed ? 'an event with this id had been sent before' : undefined],
  ]);
  if (runs.length === 0) return `${head}\nNo job waits for it.\n`;
  const rows = runs.map(({ jobId, execId, status, dueAt }) => [jobId, status, instantText(dueAt), execId]);
  return `${head}\n${table(['JOB', 'STATUS', { head: 'DUE (UTC)', spare: 1 }, EXECUTION_COLUMN], rows)}`;
}
