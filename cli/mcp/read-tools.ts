import * as z from 'zod';

import type { LogEntry, Quarterjack } from '../../client';
import { execIdOf } from '../execution-id';
import { scheduleOf } from '../schedule-text';
import { parseDurationMs } from '../terminal/times';
import { CliError } from '../exit-codes';

/** What a tool works with. */
export interface ToolDeps {
  client: Quarterjack;
  nowMs(): number;
}

export interface Tool<Shape extends z.ZodRawShape = z.ZodRawShape> {
  name: string;
  /** Constant: no text of a project is ever in it. */
  description: string;
  input: Shape;
  call(input: z.output<z.ZodObject<Shape>>, deps: ToolDeps): Promise<unknown>;
}

const tool = <Shape extends z.ZodRawShape>(one: Tool<Shape>): Tool => one as unknown as Tool;

const PAGE = 25;
const LOG_LINES = 50;
/** Pages of a log that are read to find its end. */
const MOST_LOG_PAGES = 20;

export const jobId = z.string().min(1).max(66).describe('Id of the job.');
export const execId = z
  .string()
  .min(1)
  .max(64)
  .describe('Id of the execution, a beginning of it, or "latest".');
const limit = z.int().min(1).max(100).default(PAGE).describe('How many at most.');
const instant = z.string().max(40).describe('An instant: RFC 3339, such as 2026-12-01T09:00:00Z.');

/** Tools that change nothing. */
export const READ_TOOLS: readonly Tool[] = [
  tool({
    name: 'search_jobs',
    description:
      'Find jobs by the beginning of their id or name, by tag or by status. Shows how each went last, and when it is due next.',
    input: {
      prefix: z.string().max(200).optional(),
      tag: z.array(z.string().max(400)).max(10).optional().describe('name:value; all of them.'),
      status: z.enum(['active', 'paused', 'completed']).optional(),
      lastStatus: z
        .enum(['queued', 'running', 'retrying', 'succeeded', 'failed', 'cancelled', 'skipped'])
        .optional()
        .describe('Status of the newest execution.'),
      cursor: z.string().max(2_000).optional().describe('nextCursor of the page before.'),
      limit,
    },
    call: ({ prefix, ...filter }, { client }) => client.jobs.pageOfSummaries({ ...filter, q: prefix }),
  }),
  tool({
    name: 'get_job',
    description: 'A job with its whole definition.',
    input: { jobId },
    call: (input, { client }) => client.jobs.get(input.jobId),
  }),
  tool({
    name: 'list_executions',
    description: 'The newest executions of a job, with their outcomes.',
    input: {
      jobId,
      status: z
        .enum(['queued', 'running', 'retrying', 'succeeded', 'failed', 'cancelled', 'skipped'])
        .optional(),
      limit,
    },
    call: (input, { client }) =>
      client.executions.list(input.jobId, { status: input.status, limit: input.limit }).toArray(input.limit),
  }),
  tool({
    name: 'get_execution',
    description: 'One execution with its attempts, and the newest lines of its log.',
    input: { jobId, execId },
    call: async (input, { client }) => {
      const id = await execIdOf(client, input.jobId, input.execId);
      const [execution, log] = await Promise.all([
        client.executions.get(input.jobId, id),
        newestLines(client, input.jobId, id),
      ]);
      return { execution, log };
    },
  }),
  tool({
    name: 'why',
    description:
      'Explain why a job ran, did not run, or will run at a due time. Without "at": the last due time. Start here if something is wrong with a job.',
    input: { jobId, at: instant.optional() },
    call: ({ jobId: id, at }, { client }) => client.jobs.explain(id, at),
  }),
  tool({
    name: 'failures_by_cause',
    description: 'Failed and skipped executions of all jobs, grouped by their cause, the newest first.',
    input: { since: z.string().max(20).default('1d').describe('How far back: 1h, 7d.') },
    call: ({ since }, { client, nowMs }) =>
      client.failureGroups({ from: new Date(nowMs() - durationOf(since)).toISOString(), view: 'inbox' }),
  }),
  tool({
    name: 'preview_schedule',
    description:
      'The next due times of a schedule. It is a cron expression, or a text such as "every 5m", "in 10m" or "rate(1 hour)", or an object as in a job.',
    input: {
      schedule: z.union([z.string().max(1_000), z.record(z.string(), z.unknown())]),
      timezone: z.string().max(64).optional(),
      count: z.int().min(1).max(50).default(10),
      from: instant.optional(),
    },
    call: ({ schedule, timezone, count, from }, { client }) =>
      client.preview(
        (typeof schedule === 'string' ? scheduleOf(schedule, { timezone }) : schedule) as never,
        { count, from },
      ),
  }),
  tool({
    name: 'load_map',
    description:
      'How many executions are planned in each minute, as the busiest and the quietest minutes of the range. At most 7 days.',
    input: { from: instant.optional(), to: instant.optional() },
    call: async (range, { client }) => {
      const { counts, ...load } = await client.load(range);
      const startMs = Date.parse(load.from);
      const minutes = counts.map((count, index) => ({
        at: new Date(startMs + index * 60_000).toISOString(),
        count,
      }));
      const busiest = minutes.filter(({ count }) => count > 0).sort((a, b) => b.count - a.count);
      const total = counts.reduce((sum, count) => sum + count, 0);
      return { ...load, total, minutes: counts.length, busiest: busiest.slice(0, PAGE) };
    },
  }),
];

/** The last lines of a log; of a very long one, the last that were read. */
async function newestLines({ executions }: Quarterjack, job: string, id: string) {
  let lines: LogEntry[] = [];
  let after: string | undefined;
  for (let page = 0; page < MOST_LOG_PAGES; page++) {
    const { items, nextCursor } = await executions.log(job, id, { after, limit: 1_000 });
    lines = [...lines, ...items].slice(-LOG_LINES);
    // While an attempt works, there is always a cursor: an empty page is the end for now.
    if (nextCursor === null || items.length === 0) break;
    after = nextCursor;
  }
  return lines;
}

function durationOf(text: string): number {
  const ms = parseDurationMs(text);
  if (ms !== undefined) return ms;
  throw new CliError(`since is ${JSON.stringify(text)}; expected a duration such as 1h or 7d`);
}
