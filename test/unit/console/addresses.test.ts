import fc from 'fast-check';

import { SPANS } from '../../../console/api/spans';
import { carried, paths, withValues } from '../../../console/app/address';
import { filterOf as failuresOf } from '../../../console/pages/failures/filter';
import { filterOf, valuesOf } from '../../../console/pages/jobs/filter';
import { returnAddress } from '../../../console/session/return-address';

const ORIGIN = 'https://jobs.example.com';

test.each([
  ['/console/jobs?tag=team:billing&tz=UTC', '/console/jobs?tag=team:billing&tz=UTC'],
  [
    `${ORIGIN}/console/jobs/a/executions/20261122T083000.000Z#x`,
    '/console/jobs/a/executions/20261122T083000.000Z#x',
  ],
  ['/console/', '/console/'],
  ['/v1/jobs', '/console/'],
  ['/console/../v1/jobs', '/console/'],
  ['//evil.example/console/', '/console/'],
  ['https://evil.example/console/', '/console/'],
  ['https://jobs.example.com.evil.example/console/', '/console/'],
  ['javascript:alert(1)', '/console/'],
  ['\\\\evil.example/console/', '/console/'],
  ['/consoles', '/console/'],
  ['', '/console/'],
])('after the sign-in, %j leads to %j', (text, expected) => {
  expect(returnAddress(text, ORIGIN)).toBe(expected);
});

test('whatever was kept, the way back stays in the console of this origin', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.webUrl(), fc.webPath()), (text) => {
      const url = new URL(returnAddress(text, ORIGIN), ORIGIN);
      expect([url.origin, url.pathname.startsWith('/console/')]).toEqual([ORIGIN, true]);
    }),
  );
});

test('links keep the time zone and the project, unless they name their own', () => {
  expect(carried('/jobs', '?tz=UTC&project=billing&q=a')).toBe('/jobs?tz=UTC&project=billing');
  expect(carried('/jobs?tz=Asia/Tokyo', 'tz=UTC')).toBe('/jobs?tz=Asia%2FTokyo');
  expect(carried('/jobs', '')).toBe('/jobs');
});

test('ids are escaped in addresses', () => {
  expect(paths.execution('a/b', '20261122T083000.000Z')).toBe('/jobs/a%2Fb/executions/20261122T083000.000Z');
  expect(paths.key('customer/42 & more')).toBe('/ordering-keys?key=customer%2F42%20%26%20more');
});

test('a filter survives the way through the address', () => {
  const values = fc.record({
    q: fc.string(),
    tag: fc.array(fc.string({ minLength: 1 })),
    status: fc.string(),
  });
  fc.assert(
    fc.property(values, (filter) => {
      const query = new URLSearchParams(withValues('tz=UTC&q=before', filter).toString());
      expect({
        q: query.get('q') ?? '',
        tag: query.getAll('tag'),
        status: query.get('status') ?? '',
      }).toEqual(filter);
      expect(query.get('tz')).toBe('UTC');
    }),
  );
});

const tags = fc.array(fc.string({ minLength: 1 }));
/** What the reader of a link sees, with a zone and other parameters in it. */
const throughAddress = (values: Parameters<typeof withValues>[1]): URLSearchParams =>
  new URL(carried(`/jobs?${withValues('x=1', values).toString()}`, '?tz=UTC'), ORIGIN).searchParams;

test('the filters of Jobs and Failures are those of their addresses', () => {
  const text = fc.string();
  fc.assert(
    fc.property(fc.record({ q: text, status: text, tags, lastStatus: text }), (filter) => {
      expect(filterOf(throughAddress(valuesOf(filter)))).toEqual(filter);
    }),
  );
  const time = fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  const span = fc.oneof(
    fc.constantFrom(...(Object.keys(SPANS) as (keyof typeof SPANS)[])),
    fc.record({ from: time, to: time }),
  );
  fc.assert(
    fc.property(fc.record({ span, tags, view: fc.constantFrom('inbox', 'all') }), (filter) => {
      const times = typeof filter.span === 'string' ? { span: filter.span } : filter.span;
      expect(failuresOf(throughAddress({ ...times, tag: filter.tags, view: filter.view }))).toEqual(filter);
    }),
  );
});

test('ids come back from addresses as they were', () => {
  const id = fc.string({ minLength: 1 });
  fc.assert(
    fc.property(id, id, (jobId, other) => {
      const url = (path: string) => new URL(`${ORIGIN}/console${path}`);
      const [, , jobs, job, executions, execution] = url(paths.execution(jobId, other)).pathname.split('/');
      expect([jobs, executions]).toEqual(['jobs', 'executions']);
      expect([job, execution].map((text) => decodeURIComponent(text!))).toEqual([jobId, other]);
      expect(url(paths.key(other)).searchParams.get('key')).toBe(other);
      expect(url(paths.why(jobId, other)).searchParams.get('at')).toBe(other);
    }),
  );
});
