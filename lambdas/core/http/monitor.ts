import * as z from 'zod/mini';

import { DEFAULT_POOL } from '../contracts/pools';
import type { Target } from '../domain/target';
import { specInWords } from '../schedule/schedule-words';
import type { ScheduleSpec } from '../schedule/spec';
import { described, duration } from './fields';

const METHODS_ALLOWED = 'must have "GET", "POST" or both';

export const MonitorFields = z.strictObject({
  type: z.literal('monitor'),
  pingWithin: described(duration('1m', '30d'), {
    description: 'How long after its due time an occurrence waits for its ping. Then it has failed.',
  }),
  methods: described(
    z._default(
      z.array(z.enum(['GET', 'POST'])).check(
        z.minLength(1, METHODS_ALLOWED),
        z.maxLength(2, METHODS_ALLOWED),
        z.refine((methods) => new Set(methods).size === methods.length, METHODS_ALLOWED),
      ),
      ['GET', 'POST'],
    ),
    { description: 'The methods by which a ping counts. HEAD never does.' },
  ),
});

/** The longest that a run of a monitored job may take. */
const MAX_RUN = '30d';

/** The fields of a definition that say how an execution is called, and what they say of a monitor. */
const NOT_OF_MONITORS = {
  payload: undefined,
  payloadSchema: undefined,
  templates: false,
  priority: 'medium',
  pool: DEFAULT_POOL,
  overlap: 'allow',
  orderingKey: null,
  concurrencyKey: undefined,
  onFailure: 'continue',
} as const;

interface MonitorBody extends Partial<Record<keyof typeof NOT_OF_MONITORS, unknown>> {
  schedule: ScheduleSpec;
  target?: Target;
  expectEvery?: string;
  retry: object;
  misfire: object;
}

/** What a monitor cannot have: nothing of it is called. A value that is the default may be given. */
export function faultsOfMonitor(
  body: MonitorBody,
  defaults: Pick<MonitorBody, 'retry' | 'misfire'>,
): { path: string; message: string }[] {
  if (body.target?.type !== 'monitor') return [];
  const message = 'is not allowed with a target of type "monitor": nothing is called';
  const given = (Object.keys(NOT_OF_MONITORS) as (keyof typeof NOT_OF_MONITORS)[]).filter(
    (field) => (body[field] ?? NOT_OF_MONITORS[field]) !== NOT_OF_MONITORS[field],
  );
  const differs = (['retry', 'misfire'] as const).filter((field) => !isPartOf(body[field], defaults[field]));
  return [...[...given, ...differs].map((path) => ({ path, message })), ...faultsOfSchedule(body)];
}

/** A response shows values that follow from others, and may be sent back. */
const isPartOf = (given: object, defaults: object): boolean =>
  Object.entries(defaults).every(
    ([field, value]) => JSON.stringify((given as Record<string, unknown>)[field]) === JSON.stringify(value),
  );

function faultsOfSchedule({ schedule, expectEvery }: MonitorBody): { path: string; message: string }[] {
  const meant = typeof schedule === 'string' ? (specInWords(schedule) ?? schedule) : schedule;
  const type = typeof meant === 'string' ? meant.slice(0, meant.indexOf('(')) : meant.type;
  if (type === 'cron') return [];
  if (type !== 'none')
    return [
      {
        path: 'schedule',
        message: `must be of type "cron", or of type "none" beside expectEvery, for a monitor; not "${type}"`,
      },
    ];
  if (expectEvery !== undefined) return [];
  return [{ path: 'expectEvery', message: 'is required for a monitor with a schedule of type "none"' }];
}

/** The longest `timeout` of a monitor; undefined for all other targets. */
export const longestMonitored = (target: Target | undefined): string | undefined =>
  target?.type === 'monitor' ? MAX_RUN : undefined;
