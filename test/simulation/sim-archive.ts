import { gunzipSync } from 'node:zlib';

import type { HistoryArchive } from '../../lambdas/core/store/history-archive';
import type { FakeClock } from '../support/fake-clock';
import type { ExportedLine } from './exported';
import type { Faults } from './faults';
import type { EventLog } from './log';
import type { SimNode } from './node';

/** The bucket of the export, as one node sees it: its requests and its answers may be lost. */
export const archiveOf = (
  node: SimNode,
  { time, faults, log }: { time: FakeClock; faults: Faults; log: EventLog },
): HistoryArchive => ({
  async put(name, body) {
    const at = { stage: node.stage, detail: name };
    await node.gate();
    await time.sleep(2 + node.random.fraction() * 60);
    if (faults.strikes('store-request-lost', at)) throw new Error(`no answer for ${name}`);
    const lines = gunzipSync(body).toString().trimEnd().split('\n');
    log.add({
      src: 'archive',
      type: 'put',
      name,
      lines: lines.map((line) => JSON.parse(line) as ExportedLine),
    });
    if (faults.strikes('store-answer-lost', at)) throw new Error(`no answer for ${name}`);
    await node.gate();
  },
});
