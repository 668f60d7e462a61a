import type { AuditRecord } from '../domain/audit';

/** Records of what was changed and denied, by project. `DEPLOYMENT_AUDIT` is the deployment's own. */
export interface AuditStore {
  /** Writes a record, or replaces the one with its id. */
  record(project: string, record: AuditRecord): Promise<void>;
  /**
   * Records of a project by id, newest first. Consistent. All bounds are ids: `fromId` inclusive, `toId`
   * exclusive, `after` the last one of the page before.
   */
  list(
    project: string,
    page: { fromId?: string; toId?: string; after?: string; limit: number },
  ): Promise<{ records: AuditRecord[]; nextAfter?: string }>;
}

/** Denials that a process knows to be written. */
const MAX_CACHED = 10_000;

/**
 * Each process writes each denial once. Without that, a client that is denied a thousand times a second would
 * cause as many writes, though all of them are few records.
 */
export function withDenialsOnce(audit: AuditStore): AuditStore {
  const written = new Set<string>();
  return {
    ...audit,
    async record(project, record) {
      if (record.what !== 'request.denied') return audit.record(project, record);
      const denial = JSON.stringify([project, record.id]);
      if (written.has(denial)) return;
      if (written.size >= MAX_CACHED) written.clear();
      written.add(denial);
      try {
        await audit.record(project, record);
      } catch (error) {
        written.delete(denial);
        throw error;
      }
    },
  };
}
