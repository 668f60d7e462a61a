import { FORMATS } from '../../../../lambdas/core/json-schema/formats';

test.each([
  ['date', '2028-02-29', '2027-02-29'],
  ['date', '2000-02-29', '1900-02-29'],
  ['date', '2027-12-31', '2027-13-01'],
  ['date', '2027-01-01', '2027-1-1'],
  ['time', '08:30:06.283185Z', '08:30:06'],
  ['time', '23:59:60z', '22:59:60Z'],
  ['time', '15:59:60-08:00', '16:59:60-08:00'],
  ['time', '12:00:00+23:59', '12:00:00+24:00'],
  ['date-time', '1998-12-31t23:59:60.123Z', '1998-12-31 23:59:60Z'],
  ['date-time', '2027-01-04T02:30:00+01:00', '2027-01-04T02:30:00'],
  ['duration', 'P4DT12H30M5S', 'P1D2H'],
  ['duration', 'P4W', 'P2Y1W'],
  ['duration', 'PT36H', 'PT'],
  ['duration', 'P1Y2M', 'P1Y2D'],
  ['email', 'joe.bloggs@example.com', 'joe..bloggs@example.com'],
  ['email', '"joe bloggs"@example.com', 'joe bloggs@example.com'],
  ['email', 'joe@[127.0.0.1]', 'joe@[127.0.0.300]'],
  ['email', 'joe@[IPv6:::1]', '@example.com'],
  ['hostname', 'www.example.com', '-www.example.com'],
  ['hostname', 'a'.repeat(63), 'a'.repeat(64)],
  ['ipv4', '192.168.0.1', '192.168.0.01'],
  ['ipv6', '::ffff:192.168.0.1', '1:2:3:4:5:6:7'],
  ['ipv6', '1::8', '1::2::8'],
  ['ipv6', '::', ':::'],
  ['uri', 'https://user:pw@example.com:8080/a?b=%20c#d', 'https://example.com/a b'],
  ['uri', 'urn:isbn:0451450523', '//example.com/a'],
  ['uri', 'ldap://[2001:db8::7]/c=GB', 'https://[2001:db8::7/c'],
  ['uuid', '2EB8AA08-aa98-11ea-b4aa-73b441d16380', '2eb8aa08aa9811eab4aa73b441d16380'],
])('%s: %s, and not %s', (format, text, other) => {
  expect([FORMATS[format]!(text), FORMATS[format]!(other)]).toEqual([true, false]);
});

test('texts that could match in many ways take no longer than others', () => {
  const texts = [
    'a.'.repeat(1_024),
    `${'a'.repeat(2_047)}!`,
    `"${'\\"'.repeat(1_023)}`,
    '1:'.repeat(1_024),
    `P${'1'.repeat(2_046)}`,
  ];
  const before = process.cpuUsage();
  for (let times = 0; times < 100; times++)
    for (const text of texts) for (const isOfFormat of Object.values(FORMATS)) isOfFormat(text);
  const { user } = process.cpuUsage(before);
  expect(user / 1_000).toBeLessThan(2_000); // 5,000 checks
});
