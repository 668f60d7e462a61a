import { aJob, aTarget } from '../../support/factories';
import { joinHeaders } from '../../../local/sources/http-event';
import { PipelineWorld } from '../../support/pipeline-world';
import type { WorldOptions } from '../../support/world-options';

/*
 * The cases of the test suite of W3C Trace Context, as facts (test/test.py of w3c/trace-context). Each says
 * what a caller sends to POST /run, and what the target must get.
 */

const ID = '12345678901234567890123456789012';
const PARENT = '1234567890123456';
const OTHER_ID = '12345678901234567890123456789011';
const UNSAMPLED = ['traceparent', `00-${ID}-${PARENT}-00`] as const;
const VALID = /^00-(?<id>[\da-f]{32})-(?<span>[\da-f]{16})-(?<flags>[\da-f]{2})$/;

type Pair = readonly [name: string, value: string];

interface Got {
  traceparent: string;
  id: string;
  span: string;
  flags: string;
  tracestate: string | undefined;
}

/** What the target of a run gets, if its request had these headers, in this order. */
async function deliveredAfter(pairs: readonly Pair[], runs = 1, options?: WorldOptions): Promise<Got[]> {
  const world = await PipelineWorld.started(undefined, undefined, options);
  const job = await world.create(aJob({ schedule: { type: 'none' }, target: aTarget() }));
  const got: Got[] = [];
  world.observe = ({ headers: { traceparent = '', tracestate } }) => {
    const { id, span, flags } = VALID.exec(traceparent)!.groups as Record<'id' | 'span' | 'flags', string>;
    got.push({ traceparent, id, span, flags, tracestate });
  };
  for (let nth = 0; nth < runs; nth++) {
    const headers = joinHeaders(pairs.flat());
    expect(await world.api('runJob', { jobId: job.jobId }, undefined, headers)).toMatchObject({
      status: 202,
    });
  }
  await world.run(2_000);
  expect(got).toHaveLength(runs);
  return got;
}

const firstAfter = async (pairs: readonly Pair[]): Promise<Got> => (await deliveredAfter(pairs))[0]!;

test('without a context the target gets a valid one, whose spans are not recorded', async () => {
  const { id, flags, tracestate } = await firstAfter([]);
  expect(id).not.toMatch(/^0+$/);
  expect([flags, tracestate]).toEqual(['00', undefined]);
});

test.each([
  ['traceparent', `00-${ID}-${PARENT}-01`],
  ['TraceParent', `00-${ID}-${PARENT}-01`],
  ['TrAcEpArEnT', `00-${ID}-${PARENT}-01`],
  ['TRACEPARENT', `00-${ID}-${PARENT}-01`],
  ['traceparent', `cc-${ID}-${PARENT}-01`],
  ['traceparent', `cc-${ID}-${PARENT}-01-what-the-future-will-be-like`],
  ['traceparent', ` 00-${ID}-${PARENT}-01`],
  ['traceparent', `\t00-${ID}-${PARENT}-01`],
  ['traceparent', `00-${ID}-${PARENT}-01 `],
  ['traceparent', `00-${ID}-${PARENT}-01\t`],
  ['traceparent', `\t 00-${ID}-${PARENT}-01 \t`],
])('%s: %j keeps its trace and its flag, in another span', async (name, value) => {
  const { id, span, flags } = await firstAfter([[name, value]]);
  expect([id, flags]).toEqual([ID, '01']);
  expect(span).not.toBe(PARENT);
});

test.each([
  [['trace-parent', `00-${ID}-${PARENT}-01`]],
  [['trace.parent', `00-${ID}-${PARENT}-01`]],
  [
    ['traceparent', `00-${OTHER_ID}-${PARENT}-01`],
    ['traceparent', `00-${ID}-${PARENT}-01`],
  ],
  ...[
    `00-${ID}-${PARENT}-01.`,
    `00-${ID}-${PARENT}-01-what-the-future-will-be-like`,
    `cc-${ID}-${PARENT}-01.what-the-future-will-be-like`,
    `ff-${ID}-${PARENT}-01`,
    `.0-${ID}-${PARENT}-01`,
    `0.-${ID}-${PARENT}-01`,
    `000-${ID}-${PARENT}-01`,
    `0000-${ID}-${PARENT}-01`,
    `0-${ID}-${PARENT}-01`,
    `00-${'0'.repeat(32)}-${PARENT}-01`,
    `00-.${ID.slice(1)}-${PARENT}-01`,
    `00-${ID.slice(1)}.-${PARENT}-01`,
    `00-${ID}3-${PARENT}-01`,
    `00-${ID.slice(1)}-${PARENT}-01`,
    `00-${ID}-${'0'.repeat(16)}-01`,
    `00-${ID}-.${PARENT.slice(1)}-01`,
    `00-${ID}-${PARENT.slice(1)}.-01`,
    `00-${ID}-${PARENT}7-01`,
    `00-${ID}-${PARENT.slice(1)}-01`,
    `00-${ID}-${PARENT}-.0`,
    `00-${ID}-${PARENT}-0.`,
    `00-${ID}-${PARENT}-001`,
    `00-${ID}-${PARENT}-1`,
  ].map((value): [Pair] => [['traceparent', value]]),
])('%j %j begins a new trace, and its tracestate is not read', async (...pairs) => {
  const { id, flags, tracestate } = await firstAfter([...(pairs as Pair[]), ['tracestate', 'foo=1']]);
  expect([ID, OTHER_ID, '0'.repeat(32)]).not.toContain(id);
  expect([flags, tracestate]).toEqual(['00', undefined]);
});

const count = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `b${from + index}=1`).join(',');

test.each<[expected: string | undefined, ...values: string[]]>([
  ['foo=1,bar=2', 'foo=1,bar=2'],
  [undefined, ''],
  ['foo=1', 'foo=1', ''],
  ['foo=1', '', 'foo=1'],
  ['foo=1,bar=2,rojo=1,congo=2,baz=3', 'foo=1,bar=2', 'rojo=1,congo=2', 'baz=3'],
  ['foo=1', 'foo=1,foo=1'],
  ['foo=1', 'foo=1,foo=2'],
  ['foo=1', 'foo=1', 'foo=1'],
  ['foo=1', 'foo=1', 'foo=2'],
  ['foo=1,bar=2,baz=3', 'foo=1 \t , \t bar=2, \t baz=3'],
  ['foo=1,bar=2,baz=3', 'foo=1\t \t,\t \tbar=2,\t \tbaz=3'],
  ['foo=1', '\t foo=1 \t'],
  [undefined, 'foo =1'],
  [undefined, 'FOO=1'],
  [undefined, 'foo.bar=1'],
  ['foo@=1,bar=2', 'foo@=1,bar=2'],
  [undefined, '@foo=1,bar=2'],
  ['foo@@bar=1,bar=2', 'foo@@bar=1,bar=2'],
  ['foo@bar@baz=1,bar=2', 'foo@bar@baz=1,bar=2'],
  [`${count(1, 10)},${count(11, 20)},${count(21, 32)}`, count(1, 10), count(11, 20), count(21, 32)],
  [undefined, count(1, 10), count(11, 20), count(21, 33)],
  [undefined, 'foo=bar=baz'],
  [undefined, 'foo=,bar=3'],
])('the target gets the tracestate %j of %j', async (expected, ...values) => {
  const { id, tracestate } = await firstAfter([
    UNSAMPLED,
    ...values.map((value): Pair => ['tracestate', value]),
  ]);
  expect([id, tracestate]).toEqual([ID, expected]);
});

test('all characters that are allowed are kept', async () => {
  const codes = (from: number, to: number) =>
    String.fromCodePoint(...Array.from({ length: to - from + 1 }, (_, index) => from + index));
  const key = `${codes(0x61, 0x7a)}0123456789_-*/`;
  const value = codes(0x20, 0x2b) + codes(0x2d, 0x3c) + codes(0x3e, 0x7e);
  for (const member of [`${key}=${value}`, `${key}@a-z0-9_-*/=${value}`])
    expect((await firstAfter([UNSAMPLED, ['tracestate', member]])).tracestate).toBe(member);
});

test('each delivery has a span of its own, with and without a context', async () => {
  const joined = await deliveredAfter([['traceparent', `00-${ID}-${PARENT}-01`]], 3);
  expect(new Set(joined.map(({ id }) => id))).toEqual(new Set([ID]));
  expect(new Set(joined.map(({ span }) => span)).size).toBe(3);
  expect(new Set((await deliveredAfter([], 3)).map(({ span }) => span)).size).toBe(3);
});

test('the flag that says that an id is random is passed on (level 2)', async () => {
  expect((await firstAfter([['traceparent', `00-${ID}-${PARENT}-02`]])).flags).toBe('02');
});

test('where traces are recorded, those of callers are not beyond the bound of a minute', async () => {
  const headers: Pair[] = [['traceparent', `00-${ID}-${PARENT}-03`]];
  const got = await deliveredAfter(headers, 3, { sampling: { ratio: 0, maxPerMinute: 2 } });
  expect(got.map(({ id, flags }) => `${id} ${flags}`).toSorted()).toEqual(
    ['02', '03', '03'].map((flags) => `${ID} ${flags}`),
  );
});

test('a trace that begins here is recorded if the deployment says so', async () => {
  const [{ flags }] = (await deliveredAfter([], 1, { sampling: { ratio: 1, maxPerMinute: 1 } })) as [Got];
  expect(flags).toBe('01');
});
