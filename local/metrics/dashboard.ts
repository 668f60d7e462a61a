import * as z from 'zod';

import { type Clock, SECOND_MS } from '../machine/clock';
import { LocalRunError } from '../run/errors';
import type { DashboardSpec, LocalStack } from '../template/stack';
import { KEPT_MS, type MetricStore, STEP_MS } from './metric-store';

/** A line of a graph. */
interface Line {
  namespace: string;
  name: string;
  dimensions: Record<string, string>;
  label: string;
  statistic: string;
  /** CSS color; undefined leaves the choice to the page. */
  color: string | undefined;
}

/** A graph of the dashboard. */
interface Graph {
  title: string;
  unit: string;
  /** Columns, of 24. Graphs are laid out from left to right in the order of the list. */
  width: number;
  lines: Line[];
}

/**
 * The parts of a dashboard body that the page draws. Anything else is an error, since omitting it would hide
 * it.
 */
const Body = z.strictObject({
  start: z.unknown().optional(),
  widgets: z.array(
    z.strictObject({
      type: z.literal('metric', 'expected a graph of metrics'),
      x: z.number(),
      y: z.number(),
      width: z.number(),
      height: z.number(),
      properties: z.strictObject({
        title: z.string(),
        view: z.literal('timeSeries'),
        region: z.string(),
        metrics: z.array(z.array(z.union([z.string(), z.record(z.string(), z.unknown())]))),
        yAxis: z.looseObject({ left: z.looseObject({ label: z.string().optional() }).optional() }).optional(),
        liveData: z.boolean().optional(),
      }),
    }),
  ),
});

const LineOptions = z.object({
  label: z.string().optional(),
  stat: z.string().default('Average'),
  color: z
    .string()
    .regex(/^#[\da-f]{6}$/i)
    .optional(),
});

/** Reads the body of a dashboard in the template. Throws a `LocalRunError` for what cannot be drawn. */
export function readDashboard({ logicalId, body }: DashboardSpec): Graph[] {
  const parsed = Body.safeParse(JSON.parse(body));
  if (!parsed.success)
    throw new LocalRunError(
      `${logicalId}: the local run cannot draw this dashboard: ${z.prettifyError(parsed.error)}`,
    );
  return parsed.data.widgets.map(({ width, properties }) => ({
    title: properties.title,
    unit: properties.yAxis?.left?.label ?? '',
    width,
    lines: properties.metrics.map((line) => readLine(line, logicalId)),
  }));
}

function readLine(line: (string | Record<string, unknown>)[], where: string): Line {
  const options = LineOptions.parse(line.find((part) => typeof part === 'object') ?? {});
  const [namespace, name, ...rest] = line.filter((part) => typeof part === 'string');
  if (namespace === undefined || name === undefined || rest.length % 2 !== 0)
    throw new LocalRunError(`${where}: the local run cannot read the metric ${JSON.stringify(line)}`);
  const dimensions: Record<string, string> = {};
  for (let at = 0; at < rest.length; at += 2) dimensions[rest[at]!] = rest[at + 1]!;
  const { label = name, stat: statistic, color } = options;
  return { namespace, name, dimensions, label, statistic, color };
}

/** What the page draws. */
interface DashboardData {
  /** Unix times in seconds. */
  atSec: number[];
  graphs: {
    title: string;
    unit: string;
    /** Columns, of 24. */
    width: number;
    /** Each line has one value per time in `atSec`. */
    lines: { label: string; color: string | undefined; values: (number | null)[] }[];
  }[];
}

/** The last `windowMs` before `nowMs`, up to the last complete step, with one point per `periodMs`. */
export function dashboardData(
  graphs: readonly Graph[],
  store: MetricStore,
  at: { nowMs: number; windowMs: number; periodMs: number },
): DashboardData {
  const periodMs = Math.max(STEP_MS, Math.round(at.periodMs / STEP_MS) * STEP_MS);
  const periods = Math.max(2, Math.ceil(at.windowMs / periodMs));
  const lastMs = Math.floor(at.nowMs / STEP_MS) * STEP_MS - 1;
  const fromMs = (Math.floor(lastMs / periodMs) - periods + 1) * periodMs;
  return {
    atSec: Array.from({ length: periods }, (_, period) => (fromMs + period * periodMs) / 1_000),
    graphs: graphs.map(({ title, unit, width, lines }) => ({
      title,
      unit,
      width,
      lines: lines.map((line) => ({
        label: line.label,
        color: line.color,
        values: store.read(line, line.statistic, { fromMs, periodMs, periods }),
      })),
    })),
  };
}

const MAX_SEC = KEPT_MS / SECOND_MS;

/** Serves the data of the page. The query parameters `window` and `period` are in seconds. */
export function dashboardPage(
  { stackName, dashboards }: Pick<LocalStack, 'stackName' | 'dashboards'>,
  store: MetricStore,
  clock: Clock,
) {
  const graphs = dashboards.flatMap(readDashboard);
  return (query: URLSearchParams) => {
    const seconds = (name: string, fallback: number): number => {
      const requested = Number(query.get(name) ?? fallback);
      return requested >= 1 && requested <= MAX_SEC ? requested : fallback;
    };
    const windowMs = seconds('window', 900) * SECOND_MS;
    const periodMs = seconds('period', 10) * SECOND_MS;
    const at = { nowMs: clock.nowMs(), windowMs, periodMs };
    return { stack: stackName, ...dashboardData(graphs, store, at) };
  };
}
