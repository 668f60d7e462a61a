import type { Call } from '../../support/dynamo/memory-dynamo';
import { T0_MS } from '../../support/factories';
import { isOrderingKeyAcquisition } from '../../support/fault-points';
import { dueOnce, ordered, orderedWorld, overlapping, story } from '../../support/ordered';
import type { PipelineWorld } from '../../support/pipeline-world';

// An execution holds its job's overlap lock and an ordering key. The process that ends it dies after each of
// its writes in turn. `a@50` waits at both gates, and `c@60` waits for the key.

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
/** A lease is stale after 40 s, its recheck comes 20 s later, and sweeps are 10 s apart. */
const WITHIN_MS = 75 * SECOND_MS;
const FIRST_ENDS_AT_MS = T0_MS + 70 * SECOND_MS;
const ORDER = ['a@30', 'a@50', 'c@60'];

const isWrite = ({ command }: Call): boolean => /^(Put|Update|Delete|BatchWrite)/.test(command);

const retriable = { outcome: 'retriable', statusCode: 503 } as const;
const RETRY = { maxAttempts: 5, initialDelay: '1h', maxDelay: '1h', multiplier: 1, maxAge: '24h' } as const;

const twice = {
  type: 'interval' as const,
  every: '20s',
  anchor: new Date(T0_MS + 30 * SECOND_MS).toISOString(),
  startAt: new Date(T0_MS + 30 * SECOND_MS).toISOString(),
  endAt: new Date(T0_MS + 51 * SECOND_MS).toISOString(),
};

type First = 'succeeds' | 'waits for a retry' | 'has accepted';

/** The world when `a@30` is about to end. It holds both gates; the other two wait. */
async function gatedWorld(first: First) {
  const tokens: string[] = [];
  const { world, spans } = await orderedWorld(({ jobId, dueAtMs, attempt }) => {
    const isFirst = jobId === 'a' && dueAtMs === T0_MS + 30 * SECOND_MS && attempt === 1;
    if (!isFirst) return { ms: SECOND_MS };
    if (first === 'succeeds') return { ms: 40 * SECOND_MS };
    if (first === 'waits for a retry') return { ms: SECOND_MS, answer: retriable };
    return { ms: SECOND_MS, answer: { outcome: 'accepted', statusCode: 202 } };
  });
  const observe = world.observe;
  world.observe = (delivery, called) => {
    observe?.(delivery, called);
    tokens.push(delivery.headers['quarterjack-token'] ?? '');
  };
  const target = {
    ...ordered(world, 'a').target,
    mode: first === 'has accepted' ? 'async' : 'sync',
  } as never;
  await world.create(
    ordered(world, 'a', { overlap: 'queue', schedule: twice, retry: { ...RETRY }, target, timeout: '1h' }),
  );
  await world.create(dueOnce(world, 'c', 60));
  await world.run(FIRST_ENDS_AT_MS - world.clock.nowMs() - SECOND_MS);
  expect(story(spans)).toEqual(['a@30']);
  return { world, spans, tokens };
}

/** All have run, one after another, in order, the successors soon after the fault. */
async function expectSuccessors(
  { world, spans }: Pick<Awaited<ReturnType<typeof gatedWorld>>, 'world' | 'spans'>,
  atMs: number,
): Promise<void> {
  await world.run(5 * MINUTE_MS);
  expect([...new Set(story(spans))]).toEqual(ORDER);
  expect(overlapping(spans)).toEqual([]);
  const began = (name: string) => spans.find((_, index) => story(spans)[index] === name)!.beginMs;
  const afterFault = spans.find(({ beginMs }) => beginMs > atMs)!;
  expect(afterFault.beginMs - atMs).toBeLessThan(WITHIN_MS);
  expect(began('c@60') - atMs).toBeLessThan(WITHIN_MS + 5 * SECOND_MS);
  // Nothing that was woken twice has run twice: only the execution that was cut off may be repeated.
  expect(story(spans).filter((name) => name !== 'a@30')).toEqual(ORDER.slice(1));
}

test('by an executor', async () => {
  let fatal = 0;
  for (let isCut = true; isCut;) {
    fatal += 1;
    isCut = false;
    const gated = await gatedWorld('succeeds');
    let writes = 0;
    let cutAtMs = FIRST_ENDS_AT_MS;
    let armed: boolean | undefined;
    gated.world.onExecutorCall = (call, kill) => {
      armed ??= isWrite(call) && gated.spans[0]!.endMs < Number.POSITIVE_INFINITY ? true : undefined;
      // The next executor begins: the end has been written.
      if (armed && isOrderingKeyAcquisition(call)) armed = false;
      if (!armed || isCut || !isWrite(call) || ++writes < fatal) return;
      isCut = true;
      cutAtMs = gated.world.clock.nowMs();
      kill();
    };
    await gated.world.run(2 * SECOND_MS);
    if (!isCut) break;
    await expectSuccessors(gated, cutAtMs);
  }
  expect(fatal).toBeGreaterThan(3);
});

/** Calls the API, whose process dies at its write number `fatal`. Returns whether it did. */
async function apiThatDies(
  world: PipelineWorld,
  fatal: number,
  call: () => ReturnType<PipelineWorld['api']>,
): Promise<boolean> {
  let writes = 0;
  world.dynamo.faults = {
    before: (request) => {
      if (isWrite(request)) writes += 1;
      if (writes >= fatal) throw new Error('the process has died');
    },
  };
  await call().catch(() => undefined);
  world.dynamo.faults = {};
  return writes >= fatal;
}

test.each([
  [
    'by a user who cancels what waits for a retry',
    'waits for a retry',
    (world: PipelineWorld) =>
      world.api('cancelExecution', {
        jobId: 'a',
        execId: world.executions({ userId: 'alice', jobId: 'a' })[0]!.execId,
      }),
  ],
  [
    'by the report of a target that had accepted',
    'has accepted',
    (world: PipelineWorld, tokens: readonly string[]) =>
      world.api('completeAttempt', {}, {}, { authorization: `Bearer ${tokens[0]}` }),
  ],
] as const)('%s', async (_, first, end) => {
  for (let fatal = 1; ; fatal++) {
    const gated = await gatedWorld(first);
    const { world, tokens } = gated;
    const cutAtMs = world.clock.nowMs();
    const isCut = await apiThatDies(world, fatal, () => end(world, tokens));
    // Before its end is written, an execution has not ended: the client repeats its request.
    await end(world, tokens);
    await expectSuccessors(gated, cutAtMs);
    if (isCut) continue;
    expect(fatal).toBeGreaterThan(2);
    return;
  }
});
