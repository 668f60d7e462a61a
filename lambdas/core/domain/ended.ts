/**
 * Who ends an execution. `executor`: under its lease, whose entry is rechecked until the end. `sweeper`:
 * during the recheck of its entry, which is repeated if it fails. `other`: anyone else, who files an entry
 * first.
 */
export type EndedBy = 'executor' | 'sweeper' | 'other';
