import { dynamoEndsJournal } from '../../lambdas/core/store/dynamo/dynamo-ends-journal';
import { dynamoRunLabelStore } from '../../lambdas/core/store/dynamo/dynamo-run-label-store';
import { dynamoFlowStore } from '../../lambdas/core/store/dynamo/dynamo-flow-store';
import { dynamoExecutionStore } from '../../lambdas/core/store/dynamo/executions/dynamo-execution-store';
import { dynamoJobStore } from '../../lambdas/core/store/dynamo/jobs/dynamo-job-store';
import { follow } from '../../lambdas/follower/follow';
import { TABLES } from '../support/dynamo/memory-backend';
import { apiSurroundings } from '../support/surroundings';
import { ExecutionStream } from '../support/execution-stream';
import type { FakeClock } from '../support/fake-clock';
import type { FakeRandom } from '../support/fake-random';
import type { RecordingLog } from '../support/recording-log';
import type { RecordingMeter } from '../support/recording-meter';
import type { Faults } from './faults';
import type { EventLog } from './log';
import type { SimNode } from './node';
import type { RecordedTables } from './recorded-tables';
import type { RunPlan } from './run-plan';
import { archiveOf } from './sim-archive';
import { SimSpans } from './sim-spans';
import { clientsOf } from './sim-store';

const FOLLOWS_EVERY_MS = 10_000;
const MOST_RECORDS = 1_000;
/** Own traces. Those of clients say themselves whether they are recorded. */
const ALL_SAMPLED = { ratio: 1, maxPerMinute: 60 };
const FEW_RECORDS = 5;

interface FollowerWorld {
  plan: Pick<RunPlan, 'conditions'>;
  time: FakeClock;
  random: FakeRandom;
  tables: RecordedTables;
  faults: Faults;
  log: EventLog;
  lines: RecordingLog;
  meter: RecordingMeter;
  invoke(
    stage: 'follower',
    work: (node: SimNode) => Promise<{ failedFrom?: string }>,
  ): Promise<{ how: 'done'; value: { failedFrom?: string } } | { how: 'failed' | 'killed' }>;
}

/**
 * The event source of the follower, with one shard. A batch that fails, or whose invocation dies, comes
 * again, mostly cut in another place.
 *
 * @returns the spans on their way to the collector; undefined: the run has none
 */
export function startFollower(world: FollowerWorld): SimSpans | undefined {
  const { time, random, tables } = world;
  const { collector } = world.plan.conditions;
  const spans = collector && new SimSpans(collector, world);
  const stream = new ExecutionStream(() => time.nowMs());
  tables.onExecution = (before, after) => stream.add(before, after);
  const read = async (): Promise<void> => {
    for (;;) {
      await time.sleep(FOLLOWS_EVERY_MS);
      while (stream.length > 0) {
        const most = random.pick([MOST_RECORDS, MOST_RECORDS, random.between(1, FEW_RECORDS)]);
        const count = Math.min(most, stream.length);
        const outcome = await world.invoke('follower', (node) => followIn(node, stream, count, world, spans));
        if (outcome.how === 'done') stream.drop(count, outcome.value.failedFrom);
        else await time.sleep(FOLLOWS_EVERY_MS);
      }
    }
  };
  void read();
  return spans;
}

function followIn(
  node: SimNode,
  stream: ExecutionStream,
  most: number,
  { tables, lines, meter, ...world }: FollowerWorld,
  spans: SimSpans | undefined,
): Promise<{ failedFrom?: string }> {
  const { clock, random } = node;
  const { documents } = clientsOf(node, tables, world);
  const access = { documents, table: TABLES.executions, clock, random };
  const stores = { journal: dynamoEndsJournal(access), labels: dynamoRunLabelStore(access) };
  const history = {
    ...{ partitionBy: 'none' as const, include: [], secret: apiSurroundings.secret },
    archive: archiveOf(node, world),
  };
  const tracing = spans && {
    ...{ queue: spans.queueOf(node), secret: apiSurroundings.secret, sampling: ALL_SAMPLED },
    executions: dynamoExecutionStore({ ...access, heartbeats: documents }),
    jobs: dynamoJobStore({ ...access, table: TABLES.jobs }),
    flows: dynamoFlowStore(access),
  };
  const observing = { clock, log: lines, meter };
  return follow(stream.oldest(most), { ...stores, history, spans: tracing, ...observing, retentionDays: 30 });
}
