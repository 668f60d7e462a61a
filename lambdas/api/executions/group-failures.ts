import { instantText, SECOND_MS } from '../../core/clock/clock';
import { jobRefOf } from '../../core/contracts/tables';
import type { Execution } from '../../core/domain/execution';
import { excerptOf, type Fingerprint, fingerprintOf, fingerprintText } from '../../core/domain/fingerprint';
import type { FailureGroup, FailureGroupsView } from '../../core/http/failure-answers';
import type { FailureRows } from '../../core/store/execution-store';
import type { ApiDeps } from '../request';

const MAX_ROWS = 10_000;
const MAX_MS = 10 * SECOND_MS;
const ROWS_A_READ = 500;
const MAX_GROUPS = 1_000;

interface GroupQuery {
  read(after: string | undefined, limit: number): Promise<FailureRows>;
  keep(rows: readonly Execution[]): Promise<readonly Execution[]>;
}

/** Counts failures by fingerprint, newest first, until rows, time or failures end. */
export async function groupFailures(
  { read, keep }: GroupQuery,
  { clock }: Pick<ApiDeps, 'clock'>,
): Promise<FailureGroupsView> {
  const startedMs = clock.monotonicMs();
  const groups = new Map<string, Group>();
  const incompleteBecause: FailureGroupsView['incompleteBecause'] = [];
  let rows = 0;
  let after: string | undefined;
  for (;;) {
    const page = await read(after, Math.min(ROWS_A_READ, MAX_ROWS - rows));
    rows += page.executions.length;
    for (const row of await keep(page.executions)) addTo(groups, row);
    after = page.nextAfter;
    if (after === undefined) break;
    const isSpent = clock.monotonicMs() - startedMs >= MAX_MS;
    if (rows < MAX_ROWS && !isSpent) continue;
    incompleteBecause.push(isSpent ? 'time' : 'rows');
    break;
  }
  // Rows came newest first, so the groups are in the order of their newest ones.
  const countIs = incompleteBecause.length === 0 ? 'exact' : 'at-least';
  const shown = [...groups.values()].slice(0, MAX_GROUPS);
  if (shown.length < groups.size) incompleteBecause.push('groups');
  return {
    groups: shown.map((group) => groupView(group, countIs)),
    rows,
    complete: incompleteBecause.length === 0,
    incompleteBecause,
  };
}

interface Group {
  fingerprint: Fingerprint;
  count: number;
  jobKeys: Set<string>;
  blocksKey: boolean;
  newest: Execution;
  oldest: Execution;
  firstEndMs: number;
  lastEndMs: number;
}

function addTo(groups: Map<string, Group>, row: Execution): void {
  const fingerprint = fingerprintOf(row);
  if (!fingerprint) return;
  const text = fingerprintText(fingerprint);
  const group = groups.get(text) ?? {
    fingerprint,
    count: 0,
    jobKeys: new Set<string>(),
    blocksKey: false,
    newest: row,
    oldest: row,
    firstEndMs: Infinity,
    lastEndMs: 0,
  };
  const endMs = row.finishedAtMs ?? row.dueAtMs;
  group.count += occurrencesOf(row);
  group.jobKeys.add(row.jobKey);
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
  { fingerprint, count, jobKeys, blocksKey, newest, oldest, firstEndMs, lastEndMs }: Group,
  countIs: FailureGroup['countIs'],
): FailureGroup => ({
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
  jobs: jobKeys.size,
  blocksKey,
  firstDueAt: instantText(oldest.dueAtMs),
  lastDueAt: instantText(newest.skipped?.toMs ?? newest.dueAtMs),
  firstEndedAt: instantText(firstEndMs),
  lastEndedAt: instantText(lastEndMs),
  latest: { jobId: jobRefOf(newest.jobKey).jobId, execId: newest.execId },
});
