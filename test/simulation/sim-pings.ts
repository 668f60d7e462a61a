import { pingKeyOf } from '../../lambdas/core/api-keys/ping-key';
import { monitorTargetOf } from '../../lambdas/core/domain/entry-planning';
import { jobKeyOf } from '../../lambdas/core/contracts/tables';
import type { PingResponse } from '../../lambdas/ping/responses';
import { type PingDeps, servePing } from '../../lambdas/ping/serve-ping';
import { LEFT_TO_RECHECK } from '../../lambdas/ping/left-to-recheck';
import { RecentPings } from '../../lambdas/ping/recent-pings';
import type { FakeClock } from '../support/fake-clock';
import { apiSurroundings } from '../support/surroundings';
import type { EventLog } from './log';
import type { RecordedTables } from './recorded-tables';
import type { ClientAction } from './workload';

/** What a ping says. */
export interface AskedPing {
  signal: string;
  rid?: string;
}

/** What pings use of the world. */
export interface Pinged {
  time: FakeClock;
  log: EventLog;
  tables: RecordedTables;
  invokeComposed(
    stage: 'ping',
    work: (deps: Omit<PingDeps, 'recent' | 'makeMonitor'>) => Promise<PingResponse>,
  ): Promise<{ how: 'done'; value: PingResponse } | { how: 'failed' | 'killed' }>;
}

const TRIES = 4;
const REPEAT_AFTER_MS = 3_000;

/** Pings a monitor, if there is one, as curl does it: what gets no answer is sent again. */
export async function sendPing({ id, userId, jobId, body }: ClientAction, world: Pinged): Promise<void> {
  const { signal, rid } = body as unknown as AskedPing;
  const job = world.tables.job({ userId, jobId });
  const target = job && monitorTargetOf(job);
  if (!job || !target) return;
  const key = pingKeyOf(job, 1, await apiSurroundings.secret.get());
  const request = {
    method: target.methods[0]!,
    key,
    signal: signal || undefined,
    rid,
    body: Buffer.from('done'),
  };
  const what = { src: 'ping', ping: id, jobKey: jobKeyOf(job), signal, ...(rid !== undefined && { rid }) };
  for (let tries = 0; tries < TRIES; tries++) {
    world.log.add({ ...what, src: 'ping', type: 'sent' });
    const outcome = await world.invokeComposed('ping', (deps) =>
      servePing(request, {
        ...deps,
        followUps: LEFT_TO_RECHECK,
        recent: new RecentPings(),
        makeMonitor: async () => ({ outcome: 'refused' }),
      }),
    );
    const answer = outcome.how === 'done' ? outcome.value : undefined;
    if (answer) {
      const said = answer.headers?.['quarterjack-ping'];
      return world.log.add({ ...what, src: 'ping', type: 'answered', ...(said && { outcome: said }) });
    }
    await world.time.sleep(REPEAT_AFTER_MS);
  }
}
