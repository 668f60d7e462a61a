/** A job's definition as data: what it means, and whether it can be, is for the API to say. */
export type Definition = Record<string, unknown>;

/** The fields that a user may set, in the order in which people read them. */
export const DEFINITION_FIELDS = [
  'name',
  'schedule',
  'target',
  'targets',
  'payload',
  'priority',
  'pool',
  'retry',
  'misfire',
  'overlap',
  'orderingKey',
  'onFailure',
  'timeout',
  'tags',
] as const;

/** What the API fills in for what a definition leaves out; a test holds it against the API. */
const DEFAULTS: Definition = {
  priority: 'medium',
  pool: 'default',
  overlap: 'allow',
  orderingKey: null,
  timeout: '5m',
  tags: {},
};
const RETRY = { maxAttempts: 3, initialDelay: '10s', maxDelay: '1h', multiplier: 2, maxAge: '24h' };
const MISFIRE = { grace: '60s', catchUpWindow: '1h' };
const TARGETS: Record<string, Definition> = {
  http: { method: 'POST', headers: {}, timeout: '30s', mode: 'sync' },
};

/** What of a job its user has set. */
export function definitionOf(job: object): Definition {
  const given = job as Definition;
  return Object.fromEntries(
    DEFINITION_FIELDS.filter((field) => given[field] !== undefined).map((field) => [field, given[field]]),
  );
}

/** A definition as the API would keep it, so that it can be compared with what the API keeps. */
export function withDefaults(definition: Definition): Definition {
  const policy = isOneTime(definition.schedule) ? 'fire-now' : 'fire-once';
  return {
    ...DEFAULTS,
    ...definition,
    retry: merged(RETRY, definition.retry),
    misfire: merged({ policy, ...MISFIRE }, definition.misfire),
    ...(definition.target === undefined ? {} : { target: targetWithDefaults(definition.target) }),
    ...(Array.isArray(definition.targets) ? { targets: definition.targets.map(targetWithDefaults) } : {}),
  };
}

const isObject = (value: unknown): value is Definition =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const merged = (defaults: Definition, given: unknown): unknown =>
  given === undefined ? defaults : isObject(given) ? { ...defaults, ...given } : given;

const targetWithDefaults = (target: unknown): unknown =>
  isObject(target) ? merged(TARGETS[String(target.type)] ?? {}, target) : target;

function isOneTime(schedule: unknown): boolean {
  if (typeof schedule === 'string') return schedule.startsWith('at(');
  return isObject(schedule) && (schedule.type === 'at' || schedule.type === 'delay');
}
