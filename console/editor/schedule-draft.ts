import type { Schedule } from '../../client/browser';
import { zoneOf } from '../planning/short-form';
import { isZone } from '../time/format';

/** The kinds that the form knows. Schedules of another kind are edited as JSON. */
export const KINDS = ['cron', 'interval', 'at', 'delay', 'json'] as const;
export type Kind = (typeof KINDS)[number];

/** A schedule as the form has it: one text for each field. */
export interface ScheduleDraft {
  kind: Kind;
  /** Expression, length or time, by kind; or the JSON. */
  main: string;
  timezone: string;
  startAt: string;
  endAt: string;
  jitter: string;
  /** Dates, ranges and expressions, one for each line. */
  exclude: string;
  gap: '' | 'shift' | 'skip';
  overlap: '' | 'first' | 'second' | 'both';
  /** What the form does not show: it stays as it is. */
  rest: Record<string, unknown>;
}

const EMPTY: Omit<ScheduleDraft, 'kind' | 'main'> = {
  timezone: '',
  startAt: '',
  endAt: '',
  jitter: '',
  exclude: '',
  gap: '',
  overlap: '',
  rest: {},
};

const MAIN = { cron: 'expression', interval: 'every', at: 'at', delay: 'delay' } as const;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The form of a schedule. What it cannot show in fields, it shows as JSON. */
export function draftOf(schedule: Schedule): ScheduleDraft {
  const asJson = { ...EMPTY, kind: 'json' as const, main: JSON.stringify(schedule, null, 2) };
  if (typeof schedule === 'string') return asJson;
  const fields = { ...schedule } as Record<string, unknown>;
  const kind = KINDS.find((one) => one === fields.type);
  if (!kind || kind === 'json') return asJson;
  const { type: _, timezone, startAt, endAt, jitter, exclude, dst, [MAIN[kind]]: main, ...rest } = fields;
  if (exclude !== undefined && !isTextList(exclude)) return asJson;
  const { gap, overlap } = (dst ?? {}) as { gap?: ScheduleDraft['gap']; overlap?: ScheduleDraft['overlap'] };
  return {
    kind,
    main: text(main),
    timezone: text(timezone),
    startAt: text(startAt),
    endAt: text(endAt),
    jitter: text(jitter),
    exclude: ((exclude ?? []) as string[]).join('\n'),
    gap: gap ?? '',
    overlap: overlap ?? '',
    rest,
  };
}

const isTextList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

/** The schedule that a form says. Throws a `SyntaxError` if its JSON is none. */
export function scheduleOf(draft: ScheduleDraft): Schedule {
  const { kind, main, timezone, startAt, endAt, jitter, exclude, gap, overlap, rest } = draft;
  if (kind === 'json') return JSON.parse(main) as Schedule;
  const isRecurring = kind === 'cron' || kind === 'interval';
  const excluded = exclude
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  const fields: Record<string, unknown> = {
    type: kind,
    [MAIN[kind]]: main.trim(),
    ...(timezone && kind !== 'delay' && { timezone: timezone.trim() }),
    ...(isRecurring && {
      ...(startAt && { startAt: startAt.trim() }),
      ...(endAt && { endAt: endAt.trim() }),
      ...(jitter && { jitter: jitter.trim() }),
      ...(excluded.length > 0 && { exclude: excluded }),
      ...((gap || overlap) && { dst: { ...(gap && { gap }), ...(overlap && { overlap }) } }),
      ...rest,
    }),
  };
  return fields as Schedule;
}

/** The schedule that a form says; undefined while its JSON is none. */
export function readable(draft: ScheduleDraft): Schedule | undefined {
  try {
    const schedule: unknown = scheduleOf(draft);
    const isSchedule = typeof schedule === 'string' || (typeof schedule === 'object' && schedule !== null);
    return isSchedule ? (schedule as Schedule) : undefined;
  } catch {
    return undefined;
  }
}

/** The zone that a form says, as a field or in its JSON; UTC without one, and while it is being typed. */
export function zoneOfDraft(draft: ScheduleDraft): string {
  const schedule = readable(draft);
  const zone = schedule && zoneOf(schedule);
  return zone !== undefined && isZone(zone) ? zone : 'UTC';
}

/** The expression at another minute; undefined if its minute is not a single number. */
export function atMinute(expression: string, minute: number): string | undefined {
  const fields = expression.trim().split(/\s+/);
  return fields.length === 5 && /^\d+$/.test(fields[0]!) ? [minute, ...fields.slice(1)].join(' ') : undefined;
}

/** The index with the lowest count within `reach` of one; the nearest of equals. */
export function quietest(counts: readonly number[], index: number, reach = 10): number {
  let best = index;
  for (let step = 1; step <= reach; step++)
    for (const one of [index + step, index - step])
      if ((counts[one] ?? Infinity) < (counts[best] ?? Infinity)) best = one;
  return best;
}
