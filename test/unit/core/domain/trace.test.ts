import { traceJoinedBy } from '../../../../lambdas/core/domain/job';
import { parseTraceContext } from '../../../../lambdas/core/domain/trace';
import { aJob } from '../../../support/factories';

const ID = '12345678901234567890123456789012';
const PARENT = '1234567890123456';
const given = (tracestate: string) => parseTraceContext(`00-${ID}-${PARENT}-00`, tracestate)?.state;
const members = (count: number) => Array.from({ length: count }, (_, index) => `k${index}=1`);

describe('traceparent', () => {
  it('of a request is kept without its version, and with the flags that are known', () => {
    expect(parseTraceContext(`00-${ID}-${PARENT}-01`, undefined)).toEqual({
      id: ID,
      parent: PARENT,
      flags: 1,
    });
    expect(parseTraceContext(`00-${ID}-${PARENT}-ff`, undefined)?.flags).toBe(3);
    expect(parseTraceContext(`00-${ID}-${PARENT}-fc`, undefined)?.flags).toBe(0);
  });

  it.each([
    undefined,
    '',
    `00-${ID}-${PARENT}`,
    `00-${ID}-${PARENT}-01-more`,
    `ff-${ID}-${PARENT}-01`,
    `00-${'0'.repeat(32)}-${PARENT}-01`,
    `00-${ID}-${'0'.repeat(16)}-01`,
    `00-${ID.replace('1', 'A')}-${PARENT}-01`,
    `00-${ID}-${PARENT}-01,00-${ID}-${PARENT}-01`,
    `cc-${ID}-${PARENT}-01-x,cc-${ID}-${PARENT}-01-x`,
  ])('is none: %j, and its tracestate is not read', (traceparent) => {
    expect(parseTraceContext(traceparent, 'foo=1')).toBeUndefined();
  });

  it('of a later version is read as far as it is known', () => {
    expect(parseTraceContext(`cc-${ID}-${PARENT}-01-more`, 'foo=1')).toEqual({
      id: ID,
      parent: PARENT,
      flags: 1,
      state: 'foo=1',
    });
    expect(parseTraceContext(`cc-${ID}-${PARENT}-01.more`, undefined)).toBeUndefined();
  });
});

describe('tracestate', () => {
  it('has 32 members; of those with one key the first counts', () => {
    expect(given(members(32).join(','))).toBe(members(32).join(','));
    expect(given(members(33).join(','))).toBeUndefined();
    expect(given('foo=1,bar=2,foo=3')).toBe('foo=1,bar=2');
  });

  it.each(['FOO=1', 'foo.bar=1', 'foo =1', '@foo=1', 'foo', '=1', 'foo=', 'foo=a=b', 'foo=ä', 'a=1,B=2'])(
    'is dropped alone: %j',
    (tracestate) => {
      expect(given(tracestate)).toBeUndefined();
      expect(parseTraceContext(`00-${ID}-${PARENT}-00`, tracestate)?.id).toBe(ID);
    },
  );

  it('loses whole members beyond 256 characters: long ones first, then from the end', () => {
    const long = `long=${'x'.repeat(130)}`;
    const [a, b, c] = ['a', 'b', 'c'].map((key) => `${key}=${'x'.repeat(98)}`) as [string, string, string];
    expect(given(`${a},${long},${b}`)).toBe(`${a},${b}`);
    expect(given(`${a},${b},${c}`)).toBe(`${a},${b}`);
    expect(given(`${long},${a}`)).toBe(`${long},${a}`);
    expect(given(`z=${'x'.repeat(255)}`)).toBeUndefined();
  });
});

describe('an occurrence joins the trace that planned it', () => {
  const trace = { id: ID, parent: PARENT, flags: 1 };
  const DAY_MS = 86_400_000;
  const once = aJob({ trace, scheduleChangedAtMs: 0, schedule: { type: 'at', at: '2026-12-01T00:00:00Z' } });
  const delayed = aJob({ ...once, schedule: { type: 'delay', delay: '5m' } });

  it('if it is the only one, and due within 24 hours', () => {
    for (const job of [once, delayed]) {
      expect(traceJoinedBy(job, DAY_MS)).toBe(trace);
      expect(traceJoinedBy(job, DAY_MS + 1)).toBeUndefined();
    }
  });

  it.each([
    '5 4 * * *',
    { type: 'cron', expression: '5 4 * * *' },
    { type: 'interval', every: '5m' },
  ] as const)('else it has one of its own: %j', (schedule) => {
    expect(traceJoinedBy(aJob({ ...once, schedule }), 1_000)).toBeUndefined();
  });
});
