import type { Execution } from '../../../lambdas/core/domain/execution';
import { monitorTargetOf } from '../../../lambdas/core/domain/entry-planning';
import { parseDuration } from '../../../lambdas/core/schedule/duration';
import type { PingRecord } from '../pinged';
import { groupBy, idOf, type Story, userOf, versionsIn } from '../story';
import { broken, clockTime, type Violation } from '../violation';
import { keysIn, wasKey } from './made-monitors';

/** What is due so shortly before or after a change of its job may be skipped by it. */
const CHANGE_MARGIN_MS = 16_000;

/** One request, with its answer. `untilMs`: it may be carried out so long. */
interface Ping extends PingRecord {
  fromMs: number;
  untilMs: number;
}

/**
 * What is promised of monitors. An end on record has a ping of its own that says so, and its start has one. A
 * ping that counts is on record, and comes by a URL that works. No occurrence is missed for which one has
 * come.
 */
export function checkMonitors(story: Story): Violation[] {
  if (story.conditions.wildClocks) return [];
  const pings = groupBy(pingsIn(story), ({ jobKey }) => jobKey);
  const rows = groupBy(endedIn(story), ({ jobKey }) => jobKey);
  return [...new Set([...pings.keys(), ...rows.keys()])].flatMap((jobKey) => [
    ...unsaid(rows.get(jobKey) ?? [], pings.get(jobKey) ?? [], story),
    ...forgotten(rows.get(jobKey) ?? [], pings.get(jobKey) ?? [], story),
    ...missed(rows.get(jobKey) ?? [], pings.get(jobKey) ?? [], story),
    ...uninvited(pings.get(jobKey) ?? [], story),
  ]);
}

/** Executions as each ping has left them, and those that were missed. A user may have retried some since. */
const endedIn = ({ states, end }: Story): Execution[] => [
  ...[...states.values()].flatMap((ofOne) =>
    ofOne.flatMap(({ execution }, at) =>
      execution.ping && execution.ping.atMs !== ofOne[at - 1]?.execution.ping?.atMs ? [execution] : [],
    ),
  ),
  ...end.executions.filter(({ ping, reason }) => !ping && reason === 'no-ping'),
];

function pingsIn({ records }: Story): Ping[] {
  const pings: Ping[] = [];
  for (const record of records) {
    if (record.src !== 'ping') continue;
    const last = pings.findLast(({ ping }) => ping === record.ping);
    if (record.type === 'sent')
      pings.push({ ...record, fromMs: record.t, untilMs: Number.POSITIVE_INFINITY });
    else Object.assign(last!, { ...record, untilMs: record.t });
  }
  return pings;
}

/** What a ping ends an execution as; undefined: it ends none. */
const statusOf = ({ signal }: Ping): Execution['status'] | undefined => {
  if (signal === '' || signal === '0') return 'succeeded';
  return signal === 'fail' || /^[1-9]/.test(signal) ? 'failed' : undefined;
};

const isIn = (atMs: number, { fromMs, untilMs }: Ping, skewMs: number): boolean =>
  atMs >= fromMs - skewMs && atMs <= untilMs + skewMs;

const ends = (ping: Ping, row: Execution, { conditions }: Story): boolean =>
  row.ping !== undefined &&
  row.status === statusOf(ping) &&
  (ping.rid === undefined || ping.rid === row.ping.rid) &&
  isIn(row.ping.atMs, ping, conditions.skewMs);

/** Each end has a ping of its own: one that names its run, else the first that was answered. */
function* unsaid(rows: readonly Execution[], pings: readonly Ping[], story: Story): Generator<Violation> {
  const left = new Set(pings);
  const inOrder = rows.filter(({ ping }) => ping).toSorted((one, other) => one.ping!.atMs - other.ping!.atMs);
  for (const row of inOrder) {
    const [own] = [...left]
      .filter((ping) => ends(ping, row, story))
      .toSorted((a, b) => Number(!a.rid) - Number(!b.rid) || a.untilMs - b.untilMs);
    if (own) left.delete(own);
    else yield broken('ghost', `${idOf(row)} has ${row.status}, and no ping of its own says so`);
    if (!hasBegun(row, pings, story))
      yield broken(
        'ghost',
        `${idOf(row)} took ${row.ping!.durationMs} ms, and no ping says that it began then`,
      );
  }
}

function hasBegun({ ping: end }: Execution, pings: readonly Ping[], { conditions }: Story): boolean {
  const { atMs, durationMs, rid } = end!;
  if (durationMs === undefined) return true;
  return pings.some(
    (ping) =>
      ping.signal === 'start' &&
      (ping.rid === undefined || ping.rid === rid) &&
      isIn(atMs - durationMs, ping, conditions.skewMs),
  );
}

/** No ping is taken by a URL of a project that has none. */
function* uninvited(pings: readonly Ping[], story: Story): Generator<Violation> {
  const keys = keysIn(story);
  for (const ping of pings) {
    if (!ping.bySlug || ping.outcome === undefined) continue;
    if (!wasKey(keys.get(userOf(ping.jobKey)) ?? [], ping, () => true))
      yield broken('ghost', `${ping.jobKey}: ping ${ping.ping} was taken by a URL that has ended`);
  }
}

function* forgotten(rows: readonly Execution[], pings: readonly Ping[], story: Story): Generator<Violation> {
  for (const ping of pings) {
    if (ping.outcome !== 'counted' || statusOf(ping) === undefined) continue;
    if (!rows.some((row) => ends(ping, row, story)))
      yield broken('acknowledged', `${ping.jobKey}: ping ${ping.ping} counted, and is not on record`);
  }
}

function* missed(rows: readonly Execution[], pings: readonly Ping[], story: Story): Generator<Violation> {
  const { skewMs } = story.conditions;
  for (const row of rows) {
    if (row.reason !== 'no-ping') continue;
    const { jobKey, dueAtMs } = row;
    const [version, ...others] = versionsIn(story, jobKey, dueAtMs - CHANGE_MARGIN_MS, row.finishedAtMs!);
    const target = version?.job && monitorTargetOf(version.job);
    if (!target || others.length > 0) continue;
    const limitMs = dueAtMs + parseDuration(target.pingWithin);
    const inTime = pings.find(
      (ping) =>
        ping.rid === undefined &&
        statusOf(ping) !== undefined &&
        ping.outcome !== undefined &&
        ping.fromMs > dueAtMs + skewMs &&
        ping.untilMs < limitMs - skewMs &&
        // It has ended a run that had started.
        !rows.some((one) => one.ping?.count === 2 && ends(ping, one, story)),
    );
    if (inTime)
      yield broken('reason', `${idOf(row)} was missed, and has a ping at ${clockTime(inTime.fromMs)}`);
  }
}
