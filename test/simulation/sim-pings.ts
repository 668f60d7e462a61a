import { pingIdOf, pingKeyOf, projectKeyOf } from '../../lambdas/core/api-keys/ping-key';
import { pingRowKeyOf } from '../../lambdas/core/contracts/ping-rows';
import { jobKeyOf, type JobRef } from '../../lambdas/core/contracts/tables';
import { monitorTargetOf } from '../../lambdas/core/domain/entry-planning';
import type { IncomingRequest } from '../../lambdas/api/admit';
import type { ApiResponse } from '../../lambdas/api/request';
import { makeMonitorBy } from '../../lambdas/ping/make-monitor';
import type { PingResponse } from '../../lambdas/ping/responses';
import { type PingDeps, type PingRequest, servePing } from '../../lambdas/ping/serve-ping';
import { LEFT_TO_RECHECK } from '../../lambdas/ping/left-to-recheck';
import { RecentPings } from '../../lambdas/ping/recent-pings';
import { TABLES } from '../support/dynamo/memory-backend';
import type { FakeClock } from '../support/fake-clock';
import { routeOf } from '../support/route-of';
import { apiSurroundings } from '../support/surroundings';
import type { EventLog } from './log';
import type { SimNode } from './node';
import type { RecordedTables } from './recorded-tables';
import type { ClientAction } from './workload';

/** What a ping says. */
export interface AskedPing {
  signal: string;
  rid?: string;
  /** By the URL of the project, or the one before its last rotation. Absent: by that of the monitor. */
  by?: 'project' | 'earlier';
  creates?: boolean;
}

/** What pings use of the world. There is no answer if the API's node died. */
export interface Pinged {
  time: FakeClock;
  log: EventLog;
  tables: RecordedTables;
  api(request: IncomingRequest): Promise<ApiResponse | undefined>;
  invokeComposed(
    stage: 'ping',
    work: (
      deps: Omit<PingDeps, 'recent' | 'makeMonitor'>,
      budget: unknown,
      node: SimNode,
    ) => Promise<PingResponse>,
  ): Promise<{ how: 'done'; value: PingResponse } | { how: 'failed' | 'killed' }>;
}

type Addressed = Pick<PingRequest, 'method' | 'key' | 'slug' | 'creates'>;

const TRIES = 4;
const REPEAT_AFTER_MS = 3_000;

/** What pings for monitors. It knows the URL that a project had last, also once that has ended. */
export class SimPings {
  private readonly urls = new Map<string, { createdAtMs: number; version: number }>();

  constructor(
    private readonly world: Pinged,
    /** The number of the next request to the API. */
    private readonly nextRequest: () => number,
  ) {}

  /** Pings as curl does it: what gets no answer is sent again. */
  async send({ id, userId, jobId, body }: ClientAction): Promise<void> {
    const { world } = this;
    const asked = body as unknown as AskedPing;
    const { signal, rid, by } = asked;
    const addressed = await this.addressOf({ userId, jobId }, asked);
    if (!addressed) return;
    const request = { ...addressed, signal: signal || undefined, rid, body: Buffer.from('done') };
    const of = { jobKey: jobKeyOf({ userId, jobId }), signal, ...(rid !== undefined && { rid }) };
    const what = { src: 'ping', ping: id, ...of, ...(by && { bySlug: true as const }) } as const;
    for (let tries = 0; tries < TRIES; tries++) {
      world.log.add({ ...what, type: 'sent' });
      const outcome = await world.invokeComposed('ping', (deps, _, node) =>
        servePing(request, {
          ...deps,
          followUps: LEFT_TO_RECHECK,
          recent: new RecentPings(),
          makeMonitor: makeMonitorBy('', { fetch: this.toApi(userId, node), clock: node.clock }),
        }),
      );
      const answer = outcome.how === 'done' ? outcome.value : undefined;
      if (answer) {
        const said = answer.headers?.['quarterjack-ping'];
        return world.log.add({ ...what, type: 'answered', ...(said && { outcome: said }) });
      }
      await world.time.sleep(REPEAT_AFTER_MS);
    }
  }

  /** Undefined: its client knows no URL. */
  private async addressOf(ref: JobRef, { by, creates }: AskedPing): Promise<Addressed | undefined> {
    const job = this.world.tables.job(ref);
    const target = job && monitorTargetOf(job);
    const secret = await apiSurroundings.secret.get();
    const method = target?.methods[0] ?? 'POST';
    if (!by) return job && target && { method, key: pingKeyOf(job, 1, secret) };
    const url = this.urlOf(ref.userId, secret);
    if (!url) return undefined;
    const version = by === 'project' ? url.version : url.version - 1;
    const key = projectKeyOf({ userId: ref.userId, createdAtMs: url.createdAtMs }, version, secret);
    return { method, key, slug: ref.jobId, creates };
  }

  private urlOf(userId: string, secret: Buffer) {
    const row = this.world.tables.row(TABLES.jobs, pingRowKeyOf(pingIdOf({ userId }, secret)));
    if (row) this.urls.set(userId, row as unknown as { createdAtMs: number; version: number });
    return this.urls.get(userId);
  }

  /** The way to the API, for the function of pings that makes a monitor. It is logged as of any client. */
  private readonly toApi =
    (userId: string, node: SimNode): typeof fetch =>
    async (_url, { headers, body } = {}) => {
      const { log } = this.world;
      const request = this.nextRequest();
      const { jobId } = JSON.parse(body as string) as { jobId: string };
      const jobKey = jobKeyOf({ userId, jobId });
      const what = { src: 'api', request, operation: 'provisionMonitor', jobKey } as const;
      log.add({ ...what, type: 'invoke' });
      const answer = await this.world.api({
        route: routeOf('provisionMonitor'),
        requestId: `request-${request}`,
        caller: undefined,
        params: {},
        query: new Map(),
        headers: headers as Record<string, string>,
        body: body as string,
      });
      const status = answer?.status ?? 502;
      const type = status < 300 ? 'ok' : status < 500 ? 'fail' : 'info';
      log.add({ ...what, type, ...(answer && { status }) });
      await node.gate();
      const read = { get: (name: string) => answer?.headers?.[name] ?? null };
      return { status, headers: read, arrayBuffer: async () => undefined } as unknown as Response;
    };
}
