import { instantText, SECOND_MS } from '../../core/clock/clock';
import { jobRefOf } from '../../core/contracts/tables';
import type { Execution } from '../../core/domain/execution';
import { isAckCurrent } from '../../core/domain/failure-ack';
import { excerptOf, type Fingerprint, fingerprintOf, fingerprintText } from '../../core/domain/fingerprint';
import type { FailureGroup, FailureGroupsView } from '../../core/http/openapi/bulk';
import type { FailureRows } from '../../core/store/failures-page';
import type { ApiDeps } from '../request';
import { failureAckView } from './failure-ack-view';

const MAX_GROUPED_ROWS = 10_000;
const MAX_MS = 10 * SECOND_MS;
const GROUPED_A_READ = 500;
const MAX_GROUPS = 1_000;

/** Reads failures, newest first, and keeps those that are asked for. */
export interface FailureReader {
  read(after: string | undefined, limit: number): Promise<FailureRows>;
  keep(rows: readonly Execution[]): Promise<readonly Execution[]>;
}

interface Counted {
  /** By fingerprint, those with the latest due times first. */
  groups: Map<string, CountedGroup>;
  rows: number;
  incompleteBecause: FailureGroupsView['incompleteBecause'];
}

/** Counts failures by fingerprint, newest first, until rows, time or failures end. */
export async function countFailures(
  { read, keep }: FailureReader,
  { clock }: Pick<ApiDeps, 'clock'>,
): Promise<Counted> {
  const startedMs = clock.monotonicMs();
  const groups = new Map<string, CountedGroup>();
  const incompleteBecause: Counted['incompleteBecause'] = [];
  let rows = 0;
  let after: string | undefined;
  for (;;) {
    const page = await read(after, Math.min(GROUPED_A_READ, MAX_GROUPED_ROWS - rows));
    rows += page.executions.length;
    for (const row of await keep(page.executions)) addTo(groups, row);
    after = page.nextAfter;
    if (after === undefined) break;
    const isSpent = clock.monotonicMs() - startedMs >= MAX_MS;
    if (rows < MAX_GROUPED_ROWS && !isSpent) continue;
    incompleteBecause.push(isSpent ? 'time' : 'rows');
    break;
  }
  return { groups, rows, incompleteBecause };
}

/** The failures of a project by cause, each with whether a user knows about it. */
export async function groupsOfFailures(
  reader: FailureReader,
  project: string,
  deps: Pick<ApiDeps, 'clock' | 'failureAcks'>,
): Promise<FailureGroupsView> {
  const [counted, acks] = await Promise.all([countFailures(reader, deps), deps.failureAcks.list(project)]);
  const ackOf = new Map(acks.map((ack) => [ack.fingerprint, ack]));
  const { groups, rows, incompleteBecause } = counted;
  const nowMs = deps.clock.nowMs();
  // Rows came newest first, so the groups are in the order of their newest ones.
  const countIs = incompleteBecause.length === 0 ? 'exact' : 'at-least';
  const shown = [...groups].slice(0, MAX_GROUPS);
  if (shown.length < groups.size) incompleteBecause.push('groups');
  return {
    groups: shown.map(([text, group]) => {
      const ack = ackOf.get(text);
      const isCurrent = ack && isAckCurrent(ack, group.jobs, nowMs);
      return { ...groupView(group, countIs), ack: isCurrent ? failureAckView(ack) : null };
    }),
    rows,
    complete: incompleteBecause.length === 0,
    incompleteBecause,
  };
}

interface CountedGroup {
  fingerprint: Fingerprint;
  count: number;
  /** When the last of each job ended, by jobId. */
  jobs: Map<string, number>;
  blocksKey: boolean;
  newest: Execution;
  oldest: Execution;
  firstEndMs: number;
  lastEndMs: number;
}

function addTo(groups: Map<string, CountedGroup>, row: Execution): void {
  const fingerprint = fingerprintOf(row);
  if (!fingerprint) return;
  const text = fingerprintText(fingerprint);
  const group = groups.get(text) ?? {
    fingerprint,
    count: 0,
    jobs: new Map<string, number>(),
    blocksKey: false,
    newest: row,
    oldest: row,
    firstEndMs: Infinity,
    lastEndMs: 0,
  };
  const endMs = row.finishedAtMs ?? row.dueAtMs;
  group.count += occurrencesOf(row);
  const { jobId } = jobRefOf(row.jobKey);
  group.jobs.set(jobId, Math.max(group.jobs.get(jobId) ?? 0, endMs));
  group.blocksKey ||= row.blocksKey === true;
  group.oldest = row;
  group.firstEndMs = Math.min(group.firstEndMs, endMs);
  group.lastEndMs = Math.max(group.lastEndMs, endMs);
  groups.set(text, group);
}

/** A row inside a skipped range is counted by the row of that range. */
const occurrencesOf = ({ status, skipped, insideRange }: Execution): number =>
  status === 'skipped' && insideRange ? 0 : (skipped?.count ?? 1);

const groupView = (
  { fingerprint, count, jobs, blocksKey, newest, oldest, firstEndMs, lastEndMs }: CountedGroup,
  countIs: FailureGroup['countIs'],
): Omit<FailureGroup, 'ack'> => ({
  fingerprint: fingerprintText(fingerprint),
  status: fingerprint.status,
  reason: fingerprint.reason ?? null,
  errorClass: fingerprint.errorClass ?? null,
  statusCode: fingerprint.statusCode ?? null,
  host: fingerprint.host ?? null,
  task: fingerprint.task ?? null,
  excerpt: excerptOf(newest) ?? null,
  count,
  countIs,
  jobs: jobs.size,
  blocksKey,
  firstDueAt: instantText(oldest.dueAtMs),
  lastDueAt: instantText(newest.skipped?.toMs ?? newest.dueAtMs),
  firstEndedAt: instantText(firstEndMs),
  lastEndedAt: instantText(lastEndMs),
  latest: { jobId: jobRefOf(newest.jobKey).jobId, execId: newest.execId },
  first: { jobId: jobRefOf(oldest.jobKey).jobId, execId: oldest.execId },
});
