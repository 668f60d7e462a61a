import { gzipSync } from 'node:zlib';

import { groupBy } from '../../core/async/group-by';
import { instantText } from '../../core/clock/clock';
import type { HistoryExport } from '../../core/contracts/history-export';
import { isHiddenJob, userPartOf } from '../../core/contracts/tables';
import type { DeploymentSecret } from '../../core/delivery/signing/deployment-secret';
import { endedAtMs, type EndSeen, endIn } from '../../core/domain/journal-end';
import type { ExecutionChange } from '../../core/store/execution-stream';
import type { HistoryArchive } from '../../core/store/history-archive';
import type { Log } from '../../core/telemetry/telemetry';
import { writeEach } from '../write-each';
import { exportLineOf } from './export-line';

/** Where ends are exported to. */
export interface ExportDeps extends Pick<HistoryExport, 'partitionBy' | 'include'> {
  archive: HistoryArchive;
  secret: DeploymentSecret;
}

const PARALLEL_WRITES = 4;
const DAY_LENGTH = '2026-12-01'.length;
/** How much of a record's id is in a name: its sequence number stands beside it. */
const NAME_LENGTH = 8;

interface Exported {
  index: number;
  change: ExecutionChange;
  ended: EndSeen;
}

/**
 * Writes each end of a batch as a line. Each hour in which some ended has an object, named by the first of
 * them and their number. A batch that comes again replaces its objects. Cut in other places, it makes others
 * with the same lines. Tasks and items are among them, and what hidden jobs do is not.
 *
 * @returns the index of the first change of which the line may not be written; undefined: all are
 */
export async function followExport(
  changes: readonly ExecutionChange[],
  { archive, secret, partitionBy, include }: ExportDeps,
  log: Log,
): Promise<number | undefined> {
  const ends = changes.flatMap((change, index): Exported[] => {
    const ended = endIn(change.before, change.after);
    return ended && !isHiddenJob(ended.jobKey) ? [{ index, change, ended }] : [];
  });
  if (ends.length === 0) return undefined;
  const settings = { include, secret: await secret.get() };
  const objects = [...groupBy(ends, ({ ended }) => folderOf(ended, partitionBy))].map(([folder, group]) => {
    const [{ index: first, change }] = group as [Exported];
    return { first, folder, group, name: `${folder}/${nameOf(change, group.length)}.jsonl.gz` };
  });
  return writeEach(
    objects,
    PARALLEL_WRITES,
    ({ name, group }) => {
      const lines = group.map(({ ended }) => `${JSON.stringify(exportLineOf(ended, settings))}\n`);
      return archive.put(name, gzipSync(lines.join('')));
    },
    (error, { folder }) =>
      log.error('ends were not exported; the stream brings them again', error, { folder }),
  );
}

/** By the time of the end, in UTC. */
function folderOf(ended: EndSeen, partitionBy: ExportDeps['partitionBy']): string {
  const text = instantText(endedAtMs(ended));
  const [day, hour] = [text.slice(0, DAY_LENGTH), text.slice(DAY_LENGTH + 1, DAY_LENGTH + 3)];
  const project = partitionBy === 'project' ? `project=${userPartOf(ended.jobKey)}/` : '';
  return `ends/${project}day=${day}/hour=${hour}`;
}

/** Names say how many lines there are: a request that comes late replaces no object with more of them. */
const nameOf = ({ sequence, name }: ExecutionChange, count: number): string =>
  `${sequence}-${name.slice(-NAME_LENGTH)}-${count}`;
