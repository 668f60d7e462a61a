import { gunzipSync } from 'node:zlib';

import { jobKeyOf } from '../../lambdas/core/contracts/tables';
import type { SpansMessage } from '../../lambdas/core/contracts/otlp';
import { taskExecId } from '../../lambdas/core/domain/workflow/task-id';
import type { RequestQueue } from '../../lambdas/core/queue/request-queue';
import type { OtlpAttribute } from '../../lambdas/core/telemetry/otlp';
import { spanExporter } from '../../lambdas/exporter/export-spans';
import type { FakeClock } from '../support/fake-clock';
import type { FakeRandom } from '../support/fake-random';
import type { RecordingLog } from '../support/recording-log';
import type { RecordingMeter } from '../support/recording-meter';
import type { CollectorKind, ReceivedSpan } from './collected';
import type { Faults } from './faults';
import type { EventLog } from './log';
import type { SimNode } from './node';

const EXPORTS_EVERY_MS = 10_000;
const MESSAGES_A_BATCH = 5;
/** A collector that fails does not take this part of the requests. */
const FAILING = 0.5;
/** The queue brings this part of the messages again, though the exporter is done with them. */
const DOUBLED = 0.1;
const SOURCE = { serviceName: 'quarterjack', version: '1.0.0', stage: 'test', deployment: 'simulation' };

/** `isDone`: the exporter has no more to do with it, and the queue brings it again nevertheless. */
interface Queued {
  id: string;
  message: SpansMessage;
  isDone?: boolean;
}

interface SpansWorld {
  time: FakeClock;
  random: FakeRandom;
  faults: Faults;
  log: EventLog;
  lines: RecordingLog;
  meter: RecordingMeter;
}

/** The queue of spans, the exporter and the operator's collector. */
export class SimSpans {
  private readonly queued: Queued[] = [];
  private underWay: readonly Queued[] = [];
  private sent = 0;

  constructor(
    private readonly kind: CollectorKind,
    private readonly world: SpansWorld,
  ) {
    const { time, lines: log, meter } = world;
    const post = (body: Buffer) => this.receive(body);
    const send = spanExporter({ post, source: SOURCE, clock: time, log, meter });
    const exportAll = async (): Promise<void> => {
      for (;;) {
        await time.sleep(EXPORTS_EVERY_MS);
        const batch = this.queued.splice(0, MESSAGES_A_BATCH);
        this.underWay = batch;
        if (batch.length === 0) continue;
        const { failedIds } = await send(batch);
        this.underWay = [];
        for (const { id, message, isDone } of batch) {
          const isFailed = failedIds.includes(id);
          if (isFailed || world.random.fraction() < DOUBLED)
            this.queued.push({ id, message, isDone: isDone || !isFailed });
        }
      }
    };
    void exportAll();
  }

  /** What the exporter still has to send: a collector that fails may be slower than the executions. */
  left(): ReceivedSpan[] {
    const open = [...this.underWay, ...this.queued].filter(({ isDone }) => !isDone);
    return open.flatMap(({ message }) => (message.spans as unknown as SentSpan[]).map(receivedOf));
  }

  /** The queue as one node sees it: its requests and their answers may be lost. */
  queueOf(node: SimNode): RequestQueue<SpansMessage> {
    const { time, faults } = this.world;
    const at = { stage: node.stage, detail: 'spans' };
    return {
      send: async (requests) => {
        await node.gate();
        await time.sleep(2 + node.random.fraction() * 60);
        if (faults.strikes('store-request-lost', at)) throw new Error('no answer for spans');
        for (const { request: message } of requests)
          this.queued.push({ id: String(++this.sent), message: structuredClone(message) });
        if (faults.strikes('store-answer-lost', at)) throw new Error('no answer for spans');
        await node.gate();
      },
    };
  }

  private async receive(body: Buffer): Promise<{ status: number; body: string }> {
    const { time, random, log } = this.world;
    await time.sleep(5 + random.fraction() * 200);
    if (this.kind === 'dead') throw new Error('no answer within 5 s');
    if (this.kind === 'failing' && random.fraction() < FAILING) return { status: 503, body: '' };
    log.add({ src: 'collector', type: 'received', spans: spansIn(body) });
    return { status: 200, body: '{}' };
  }
}

interface SentSpan {
  spanId: string;
  parentSpanId?: string;
  attributes: readonly OtlpAttribute[];
}

function spansIn(gzipped: Buffer): ReceivedSpan[] {
  const { resourceSpans } = JSON.parse(gunzipSync(gzipped).toString()) as {
    resourceSpans: { scopeSpans: { spans: SentSpan[] }[] }[];
  };
  return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans.map(receivedOf)));
}

function receivedOf({ spanId, parentSpanId, attributes }: SentSpan): ReceivedSpan {
  const values = new Map(
    attributes.map(({ key, value }) => [key.replace('quarterjack.', ''), Object.values(value)[0] as unknown]),
  );
  const text = (name: string) => values.get(name) as string | undefined;
  const number = (name: string) => (values.has(name) ? Number(values.get(name)) : undefined);
  const [run, task, item] = [text('execution'), text('task'), number('item')];
  const fence = number('fence');
  if (fence !== undefined) return { of: 'attempt', parentSpanId, fence, target: number('target') ?? 0 };
  if (run === undefined) return { of: 'wait' };
  const ref = { run, round: number('task.round') ?? 1, ...(item !== undefined && { item }) };
  return {
    of: 'execution',
    spanId,
    jobKey: jobKeyOf({ userId: text('project')!, jobId: text('job')! }),
    execId: task === undefined ? run : taskExecId({ ...ref, task }),
    status: text('status')!,
    userRetries: number('user_retries') ?? 0,
  };
}
