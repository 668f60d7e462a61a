import { firstLineOf, lineHashOf } from '../../../../lambdas/core/domain/failure-line';

const hashOf = (body: string): string | undefined => {
  const line = firstLineOf(body);
  return line === undefined ? undefined : lineHashOf(line);
};

test.each([
  ['\n\n  disk full \nat x.js:1', 'disk full'],
  [
    '{"error":{"code":"UniqueViolation","message":"duplicate \\"id\\"\\nat x"}}',
    'UniqueViolation: duplicate "id"',
  ],
  ['{\n  "id": "7",\n  "title": "upstream_unavailable"', 'upstream_unavailable'],
  ['<html><head><title>502 Bad Gateway</title></head>', '502 Bad Gateway'],
  ['<p>Sorry, <b>closed</b></p>', 'Sorry,  closed'],
  ['bell\u0007 and\u202e text', 'bell  and  text'],
  ['{"a": "{{{"', '{"a": "{{{"'],
  ['1234', undefined],
  ['', undefined],
])('the line of %j is %j', (body, line) => {
  expect(firstLineOf(body)).toBe(line);
});

test.each([
  ['order 17 is gone', 'order 18 is gone'],
  ['no row 3f9a7c21-18f4-4d2e-9d34-1f4b5a6c7d8e', 'no row 9d34aaaa-18f4-4d2e-9d34-000000000000'],
  ['at 2026-12-01T09:00:00Z: down', 'at 2026-12-02T10:00:01Z: down'],
  ['trace deadbeef failed', 'trace feedfacecafe failed'],
  [`can't open 'a.csv'`, `can't open 'b.csv'`],
  ['{"error":"duplicate key (id)=(5)"}', '{"error":"duplicate key (id)=(61)"}'],
  ['{"message":"user \\"ann\\" unknown"}', '{"message":"user \\"bob\\" unknown"}'],
])('%j and %j have one cause', (one, other) => {
  expect(hashOf(one)).toMatch(/^[0-9a-f]{8}$/);
  expect(hashOf(other)).toBe(hashOf(one));
});

test.each([
  ['UniqueViolation', 'upstream_unavailable'],
  ['{"error":"UniqueViolation"}', '{"error":"upstream_unavailable"}'],
  ['<title>Bad Gateway</title>', '<title>Service Unavailable</title>'],
])('%j and %j have two', (one, other) => {
  expect(hashOf(one)).not.toBe(hashOf(other));
});

test('what differs from one failure to the next is no cause', () => {
  expect(lineHashOf('"x" 17 a1')).toBeUndefined();
});

test.each(['<', '"error":"', "'", '\\', '{"error":"a', ' a', 'a'])(
  'a body of %j alone is read in one pass',
  (part) => {
    const body = part.repeat(2_048);
    expect(firstLineOf(body)?.length ?? 0).toBeLessThanOrEqual(300);
    hashOf(`{${body}`);
  },
);
