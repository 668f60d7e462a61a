import type { Sampling, SpansMessage } from '../../lambdas/core/contracts/otlp';
import { spanExporter } from '../../lambdas/exporter/export-spans';
import { follow } from '../../lambdas/follower/follow';
import { ExecutionStream } from './execution-stream';
import { decodeTraces, type DecodedSpan } from './otlp-request';
import { apiSurroundings } from './surroundings';
import { WorkflowWorld } from './workflow-world';

export const ALL_SAMPLED: Sampling = { ratio: 1, maxPerMinute: 60 };

/** A deployment that records traces, and a collector that decodes what it gets. */
export class SpansWorld {
  readonly queued: SpansMessage[] = [];
  readonly got: DecodedSpan[] = [];

  private constructor(
    readonly flow: WorkflowWorld,
    private readonly stream: ExecutionStream,
    private readonly sampling: Sampling,
  ) {}

  static async started(sampling = ALL_SAMPLED): Promise<SpansWorld> {
    let nowMs = () => 0;
    const stream = new ExecutionStream(() => nowMs());
    const flow = await WorkflowWorld.started({ sampling, onChange: stream.onChange });
    nowMs = () => flow.world.clock.nowMs();
    return new SpansWorld(flow, stream, sampling);
  }

  get world() {
    return this.flow.world;
  }

  /** Lets time pass, and passes on what has ended. `times`: how often the batch comes. */
  async run(ms: number, times = 1): Promise<void> {
    await this.world.run(ms);
    for (let time = 0; time < times; time++) await this.follow();
    this.stream.drop(this.stream.length);
    await this.export();
  }

  private async follow(): Promise<void> {
    const { executions, jobs, flows, clock } = this.world.deps;
    const { log, meter } = this.world;
    const queue = {
      send: async (requests: readonly { request: SpansMessage }[]) => {
        // As the queue has them: in JSON.
        for (const { request } of requests)
          this.queued.push(JSON.parse(JSON.stringify(request)) as SpansMessage);
      },
    };
    const spans = { queue, secret: apiSurroundings.secret, sampling: this.sampling, executions, jobs, flows };
    const answer = await follow(this.stream.oldest(1_000), { spans, clock, log, meter, retentionDays: 30 });
    expect(answer).toEqual({});
  }

  private async export(): Promise<void> {
    const { log, meter, clock } = this.world;
    const bodies: Buffer[] = [];
    const send = spanExporter({
      post: async (body) => {
        bodies.push(body);
        return { status: 200, body: '{}' };
      },
      source: { serviceName: 'quarterjack', version: '1.0.0', stage: 'test', deployment: 'Quarterjack-test' },
      ...{ clock, log, meter },
    });
    const batch = this.queued.splice(0).map((message, index) => ({ id: String(index), message }));
    expect(await send(batch)).toEqual({ failedIds: [] });
    this.got.push(...bodies.flatMap((body) => decodeTraces(body).spans));
  }

  /** The only span with this name, whatever batch brought it. */
  span(name: string): DecodedSpan {
    const found = this.got.filter((span) => span.name === name);
    if (found.length !== 1) throw new Error(`${found.length} spans ${name} among ${this.names.join(', ')}`);
    return found[0]!;
  }

  get names(): string[] {
    return this.got.map(({ name }) => name).toSorted();
  }
}
