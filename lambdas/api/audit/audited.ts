import { type Audited, type AuditOutcome, auditIdOf } from '../../core/domain/audit';
import { expiresAtSecAfter } from '../../core/domain/timing';
import { authorOf } from '../http/author';
import { ProblemError } from '../http/problem';
import type { ApiDeps, ApiRequest } from '../request';

export interface AuditedChange {
  what: Audited;
  /** What is changed: a key's id, a secret's name, a queue. */
  resource: string;
  /** More about it, for people. */
  detail?: string;
}

/**
 * Makes a change that is put on record. Order of writes: the record, as attempted → the change → the record
 * again, as done. So there is no change without a record. A crash or a time-out leaves `attempted`: the
 * change may have been made. A `ProblemError` of `make` means that nothing was changed; the record then says
 * `refused`.
 */
export async function audited<Made>(
  request: ApiRequest,
  change: AuditedChange,
  make: () => Promise<Made>,
  deps: Pick<ApiDeps, 'audit' | 'clock' | 'random' | 'retentionDays' | 'log'>,
): Promise<Made> {
  const { audit, clock, random, retentionDays, log } = deps;
  const { project } = request;
  const atMs = clock.nowMs();
  const [id, expiresAtSec] = [auditIdOf(atMs, random.id()), expiresAtSecAfter(atMs, retentionDays)];
  const record = { id, atMs, ...authorOf(request), ...change, expiresAtSec };
  await audit.record(project, { ...record, outcome: 'attempted' });
  const settle = async (outcome: AuditOutcome) => {
    try {
      await audit.record(project, { ...record, outcome });
    } catch (error) {
      log.error('an audit record is left as attempted', error, { id, what: change.what, outcome });
    }
  };
  try {
    const made = await make();
    await settle('done');
    return made;
  } catch (error) {
    if (error instanceof ProblemError) await settle('refused');
    throw error;
  }
}
