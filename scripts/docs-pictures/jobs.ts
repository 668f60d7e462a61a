/** A job of the pictures, as its definition. */
export type Definition = Record<string, unknown>;
/** URL of a target: `/200/5` answers 200 after 5 ms, `/odd/5` and `/mixed/5` 503 for some due times. */
export type TargetAt = (path: string) => { type: 'http'; url: string };

const ZONE = 'Europe/Berlin';
export const cron = (expression: string, more: object = {}) => ({
  type: 'cron',
  timezone: ZONE,
  expression,
  ...more,
});

type Plain = readonly [jobId: string, name: string, expression: string, team: string, path: string];

/** Jobs that only call a target. Those of the first list have run since midnight. */
export const FREQUENT: readonly Plain[] = [
  ['session-clean-up', 'Session clean-up', '*/10 * * * *', 'platform', '/200/40'],
  ['search-reindex', 'Search reindex', '*/20 * * * *', 'search', '/200/350'],
  ['crm-sync', 'CRM sync', '5 * * * *', 'growth', '/200/900'],
  ['price-import', 'Price import', '10,40 * * * *', 'data', '/odd/300'],
  ['mail-import', 'Mail import', '15,45 * * * *', 'support', '/503/300'],
  ['sla-check', 'SLA check', '0 * * * *', 'support', '/200/80'],
  ['charge-subscriptions', 'Charge subscriptions', '0 */2 * * *', 'billing', '/200/400'],
];
const DAILY: readonly Plain[] = [
  ['daily-report', 'Daily report', '15 2 * * *', 'finance', '/200/5'],
  ['fx-rates', 'FX rates', '45 17 * * MON-FRI', 'finance', '/200/5'],
  ['dunning-letters', 'Dunning letters', '0 9 * * MON-FRI', 'billing', '/200/5'],
  ['newsletter', 'Newsletter', '0 9 * * TUE', 'growth', '/200/5'],
  ['backup-verify', 'Verify backups', '30 3 * * *', 'platform', '/200/5'],
  ['certificate-check', 'Check certificates', '0 7 * * *', 'platform', '/200/5'],
  ['thumbnail-clean-up', 'Thumbnail clean-up', '20 13 * * *', 'media', '/200/5'],
  ['usage-export', 'Usage export', '0 6 1 * *', 'billing', '/200/5'],
  ['cache-warm-up', 'Warm caches', '0,30 6-20 * * *', 'platform', '/200/5'],
];
const CITIES = [
  'amsterdam',
  'berlin',
  'lisbon',
  'london',
  'madrid',
  'oslo',
  'paris',
  'rome',
  'vienna',
  'zurich',
];
const REPORTS = CITIES.map((city, index): Plain => [
  `report-${city}`,
  `Report of ${city[0]!.toUpperCase()}${city.slice(1)}`,
  `${index % 3 ? (index * 7) % 60 : 0} ${6 + (index % 4)},${12 + (index % 6)} * * *`,
  'finance',
  '/200/5',
]);

const plain = (at: TargetAt, [, name, expression, team, path]: Plain): Definition => ({
  name,
  schedule: cron(expression),
  target: at(path),
  retry: { maxAttempts: 3, initialDelay: '1s' },
  tags: { team },
});

/** Definitions by jobId. */
export const jobs = (at: TargetAt): Record<string, Definition> => ({
  ...workflows(at),
  ...Object.fromEntries([...FREQUENT, ...DAILY, ...REPORTS].map((one) => [one[0], plain(at, one)])),
  'invoice-reminder': {
    name: 'Invoice reminder',
    schedule: cron('30 2,9 * * MON-FRI,SUN', { exclude: ['2026-12-24/2027-01-01'] }),
    target: at('/200/300'),
    payload: { template: 'reminder-2' },
    tags: { team: 'billing', env: 'prod' },
  },
  'video-transcode': {
    name: 'Transcode videos',
    schedule: { type: 'none' },
    target: { ...at('/200/600000'), timeout: '14m' },
    timeout: '14m',
    overlap: 'skip',
    tags: { team: 'media' },
  },
  'inventory-sync': {
    name: 'Inventory sync',
    schedule: { type: 'none' },
    target: at('/mixed/120'),
    retry: { maxAttempts: 3, initialDelay: '1s' },
    tags: { team: 'growth', env: 'prod' },
  },
  'charge-42': {
    name: 'Charge of customer 42',
    schedule: { type: 'none' },
    target: at('/400/200'),
    orderingKey: 'customer/42',
    onFailure: 'block',
    tags: { team: 'billing' },
  },
  etl: {
    name: 'Orders into the warehouse',
    schedule: cron('0 2 * * *'),
    target: at('/200/9000'),
    tags: { team: 'data' },
  },
  'ledger-close': {
    name: 'Ledger close',
    schedule: cron('0 23 * * *'),
    target: at('/odd/100'),
    retry: { maxAttempts: 1 },
    tags: { team: 'finance' },
  },
  'load-orders': {
    name: 'Load orders',
    schedule: { type: 'none' },
    target: { type: 'worker', queue: 'warehouse', heartbeatTimeout: '1h' },
    timeout: '2h',
    payload: { table: 'orders' },
    tags: { team: 'data' },
  },
});

const workflows = (at: TargetAt): Record<string, Definition> => ({
  'nightly-warehouse': {
    name: 'Nightly warehouse',
    schedule: cron('15 2 * * *'),
    tags: { team: 'data' },
    workflow: { tasks: warehouse(at) },
  },
  'release-prices': {
    name: 'Release of prices',
    schedule: { type: 'none' },
    timeout: '1d',
    tags: { team: 'data' },
    workflow: { tasks: release(at) },
  },
});

const task = (target: object, dependsOn: unknown[] = []) => ({ target, dependsOn });

/** One task fails on some days, and blocks the tasks after it. */
const warehouse = (at: TargetAt) => ({
  'extract-orders': task(at('/200/2200')),
  'extract-users': task(at('/200/900')),
  'fx-rates': task(at('/200/200')),
  'check-orders': task(at('/200/900'), ['extract-orders']),
  'load-users': task(at('/200/2900'), ['extract-users']),
  'load-orders': {
    ...task(at('/odd/1500'), ['check-orders', 'fx-rates']),
    retry: { maxAttempts: 3, initialDelay: '1s' },
    input: { day: '{{ run.day }}' },
  },
  archive: task(at('/200/5'), [{ task: 'check-orders', if: 'failed' }]),
  'join-marts': task(at('/200/700'), ['load-orders', 'load-users']),
  'refresh-reports': task(at('/200/500'), ['join-marts']),
  'tell-finance': task(at('/200/100'), ['refresh-reports']),
});

const release = (at: TargetAt) => ({
  collect: { target: at('/200/300') },
  'check-prices': {
    dependsOn: ['collect'],
    forEach: { items: CITIES },
    target: at('/200/200'),
  },
  approve: { dependsOn: ['check-prices'], approval: { note: 'Release the prices of Monday?' } },
  publish: { dependsOn: ['approve'], target: at('/200/5') },
});
