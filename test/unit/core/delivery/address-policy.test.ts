import { hostOf, checkUrl, MAX_URL_LENGTH } from '../../../../lambdas/core/delivery/address-policy';
import type { TargetPolicy } from '../../../../lambdas/core/delivery/addresses';
import fixture from '../../../fixtures/targets/target-urls.json';

const resultOf = (url: string, policy: TargetPolicy = 'public'): string => {
  const check = checkUrl(url, policy);
  if (check.ok) return check.resolve ? 'RESOLVE' : 'ACCEPT';
  return `REJECT:${check.reason}`;
};

describe('policy public', () => {
  it.each(fixture.vectors)('$url: $expect', ({ url, expect: expected }) => {
    expect(resultOf(url)).toBe(expected);
  });

  it.each([
    ['https://LOCALHOST./', 'name'],
    ['https://foo.localhost/', 'name'],
    ['https://printer.local/', 'name'],
    ['https://metadata.google.internal/', 'name'],
    ['https://017700000001/', 'address'],
    ['https://127.0.0.1./', 'address'],
    ['https://127.0.0.1../', 'name'],
    ['https://localhost../', 'name'],
    ['https://foo.internal../', 'name'],
    ['https://sqs.us-east-1.amazonaws.com../', 'name'],
    ['https://a.org.../', 'name'],
    ['https://../', 'name'],
    ['https://0251.0376.0251.0376/', 'address'],
    ['https://192.168.1.1/', 'address'],
    ['https://100.100.100.200/', 'address'],
    ['https://198.18.0.1/', 'address'],
    ['https://224.0.0.1/', 'address'],
    ['https://192.0.2.1/', 'address'],
    ['https://192.88.99.1/', 'address'],
    ['https://[::127.0.0.1]/', 'address'],
    ['https://[::ffff:8.8.8.8]/', 'address'],
    ['https://[64:ff9b:1::808:808]/', 'address'],
    ['https://[2002:7f00:1::]/', 'address'],
    ['https://[2001:0:7f00:1::]/', 'address'],
    ['https://[2606:4700::5efe:7f00:1]/', 'address'],
    ['https://[2606:4700:0:1:200:5efe:0:0]/', 'address'],
    ['https://[fc00::1]/', 'address'],
    ['https://[fec0::1]/', 'address'],
    ['https://[ff02::1]/', 'address'],
    ['https://[fe80::1%25eth0]/', 'parse'],
    ['https://user:pw@a.org/', 'credentials'],
    ['https://a.org@127.0.0.1/', 'credentials'],
    ['https://@a.org/', 'credentials'],
    ['https://:@a.org/', 'credentials'],
    ['https:@a.org/', 'credentials'],
    ['https:///@a.org/', 'credentials'],
    ['https://a.org/#', 'fragment'],
    ['https://a.org:0/', 'port'],
    ['https://a.org:6379/', 'port'],
    ['https://a.org/\u0000', 'characters'],
    ['https://a.org/\t', 'characters'],
    [' https://a.org/', 'characters'],
    ['gopher://a.org/', 'scheme'],
    ['data:text/plain,x', 'scheme'],
    [`https://a.org/${'x'.repeat(MAX_URL_LENGTH)}`, 'length'],
  ])('%s is rejected: %s', (url, reason) => {
    expect(resultOf(url)).toBe(`REJECT:${reason}`);
  });

  it.each([
    'https://a.org:443/',
    'https://a.org:8443/x?y=%20',
    'https://a.org./',
    'https://xn--mnchen-3ya.de/',
  ])('%s is allowed if its addresses are', (url) => expect(resultOf(url)).toBe('RESOLVE'));
});

describe('endpoints of AWS', () => {
  it.each([
    'dynamodb.eu-central-1.amazonaws.com',
    '111122223333.ddb.eu-central-1.amazonaws.com',
    '111122223333.ddb-fips.us-east-1.amazonaws.com',
    'streams.dynamodb.eu-central-1.amazonaws.com',
    '111122223333.streams-ddb.eu-central-1.amazonaws.com',
    'streams-ddb.eu-central-1.amazonaws.com',
    'states.eu-central-1.amazonaws.com',
    'sync-states.eu-central-1.amazonaws.com',
    'streaming-logs.eu-central-1.amazonaws.com',
    'eu-central-1.queue.amazonaws.com',
    'vpce-0123456789abcdef0-abcdefgh.sqs.eu-central-1.vpce.amazonaws.com',
    'vpce-0123456789abcdef0-abcdefgh-eu-central-1a.sqs.eu-central-1.vpce.amazonaws.com',
    'vpce-0123456789abcdef0-abcdefgh.sync-states.cn-north-1.vpce.amazonaws.com.cn',
    'dynamodb.eu-central-1.api.aws',
    '111122223333.ddb.eu-central-1.api.aws',
    'lambda.cn-north-1.api.amazonwebservices.com.cn',
    'sts.amazonaws.com',
  ])('%s is rejected', (host) => {
    expect(resultOf(`https://${host}/`)).toBe('REJECT:name');
    expect(resultOf(`https://${host.toUpperCase()}.:8443/`)).toBe('REJECT:name');
  });

  it.each([
    'abc123.execute-api.eu-central-1.amazonaws.com',
    'vpce-0123456789abcdef0-abcdefgh.execute-api.eu-central-1.vpce.amazonaws.com',
    'hooks-1234567890.eu-central-1.elb.amazonaws.com',
    'sqs-1234567890.eu-central-1.elb.amazonaws.com',
    'ec2-93-184-216-34.eu-central-1.compute.amazonaws.com',
    'events.s3.eu-central-1.amazonaws.com',
    'my-bucket.s3.amazonaws.com',
    'my-bucket.s3-website.eu-central-1.amazonaws.com',
    'abc123.lambda-url.eu-central-1.on.aws',
    'abc123.appsync-api.eu-central-1.amazonaws.com',
    'd111111abcdef8.cloudfront.net',
    'sqs.example.com',
    'sqs.eu-central-1.amazonaws.com.example.com',
  ])('%s belongs to a customer, so it is allowed', (host) =>
    expect(resultOf(`https://${host}/`)).toBe('RESOLVE'),
  );
});

describe('policy loopback', () => {
  it.each([
    ['http://127.0.0.1:8788/hook', 'ACCEPT'],
    ['https://127.255.0.9:1/', 'ACCEPT'],
    ['http://[::1]:9/', 'ACCEPT'],
    ['http://localhost:3000/', 'RESOLVE'],
    ['http://app.localhost:3000/', 'RESOLVE'],
    ['https://example.com/', 'RESOLVE'],
    ['http://example.com/', 'REJECT:scheme'],
    ['https://example.com:3000/', 'REJECT:port'],
    ['http://127.0.0.1:0/', 'REJECT:port'],
    ['http://127.0.0.1../', 'REJECT:name'],
    ['http://localhost../', 'REJECT:name'],
    ['http://0.0.0.0:80/', 'REJECT:scheme'],
    ['https://0.0.0.0/', 'REJECT:address'],
    ['https://[::ffff:127.0.0.1]/', 'REJECT:address'],
    ['https://10.0.0.1/', 'REJECT:address'],
    ['https://169.254.169.254/', 'REJECT:address'],
    ['http://u:p@localhost/', 'REJECT:credentials'],
  ])('%s: %s', (url, expected) => {
    expect(resultOf(url, 'loopback')).toBe(expected);
  });
});

describe('http that is rejected', () => {
  const messageOf = (url: string, policy: TargetPolicy): string => {
    const check = checkUrl(url, policy);
    return check.ok ? '' : check.message;
  };

  it.each(['http://myapp:3000/', 'http://192.168.1.7/', 'http://example.com/'])(
    '%s: a local run says why localhost may use http and this may not, and the setting',
    (url) => {
      expect(messageOf(url, 'loopback')).toBe(
        'must start with https://: http is for this machine only (localhost, 127.0.0.1, [::1]), ' +
          'because it is not encrypted on a network; npm start -- --private-host ' +
          `${new URL(url).hostname} allows this host; see targetPolicy in docs/configuration.md`,
      );
    },
  );

  it.each(['http://localhost:3000/', 'http://127.0.0.1/', 'http://[::1]/'])(
    '%s: a deployed stack says that only a local run allows it, and the setting',
    (url) => {
      expect(messageOf(url, 'public')).toBe(
        'must start with https://: only a local run without --strict-targets calls this machine by http; see targetPolicy in docs/configuration.md',
      );
    },
  );

  it('other URLs get the rule alone', () => {
    expect(messageOf('http://example.com/', 'public')).toBe('must start with https://');
    expect(messageOf('ftp://example.com/', 'loopback')).toBe('must start with https://');
  });
});

describe('private hosts of a local run', () => {
  const policy = { privateHosts: ['app', 'host.docker.internal', '192.168.1.7'] };
  it.each([
    ['http://app:3000/hook', 'ACCEPT'],
    ['http://APP./', 'ACCEPT'],
    ['https://app:8443/', 'ACCEPT'],
    ['http://host.docker.internal:3000/', 'ACCEPT'],
    ['http://192.168.1.7/', 'ACCEPT'],
    ['http://localhost:9000/', 'ACCEPT'],
    ['http://app:0/', 'REJECT:port'],
    ['http://u:p@app/', 'REJECT:credentials'],
    ['ftp://app/', 'REJECT:scheme'],
    ['http://db:3000/', 'REJECT:scheme'],
    ['http://app.example.com/', 'REJECT:scheme'],
    ['http://192.168.1.8/', 'REJECT:scheme'],
    ['https://192.168.1.8/', 'REJECT:address'],
    ['https://db/', 'REJECT:name'],
  ])('%s: %s', (url, expected) => {
    const check = checkUrl(url, policy);
    expect(check.ok ? 'ACCEPT' : `REJECT:${check.reason}`).toBe(expected);
  });

  it('the rejection of another host names them', () => {
    expect(checkUrl('http://db:3000/', policy)).toMatchObject({
      message: expect.stringContaining(
        'http is for this machine only (localhost, 127.0.0.1, [::1]), and for app, host.docker.internal, 192.168.1.7',
      ),
    });
  });
});

describe('hosts that the deployment names', () => {
  const hosts = ['example.com', '*.example.org', '127.0.0.1'];
  it.each([
    ['https://example.com/', 'ACCEPT'],
    ['https://example.com/@user?to=a@b.org', 'ACCEPT'],
    ['https://example.com?to=a@b.org', 'ACCEPT'],
    ['https://EXAMPLE.com./', 'ACCEPT'],
    ['https://a.b.example.org/', 'ACCEPT'],
    ['http://127.0.0.1:9000/', 'ACCEPT'],
    ['https://example.com../', 'REJECT:name'],
    ['https://example.org/', 'REJECT:host'],
    ['https://www.example.com/', 'REJECT:host'],
    ['https://notexample.org/', 'REJECT:host'],
    ['https://example.com.evil.net/', 'REJECT:host'],
    ['https://93.184.216.34/', 'REJECT:host'],
    ['http://localhost:9000/', 'REJECT:host'],
    ['http://example.com/', 'REJECT:scheme'],
  ])('%s: %s', (url, expected) => {
    const check = checkUrl(url, 'loopback', hosts);
    expect(check.ok ? 'ACCEPT' : `REJECT:${check.reason}`).toBe(expected);
  });
});

it('the host has no brackets and no dots at its end', () => {
  const urls = ['https://[2606:4700::1]/', 'https://A.org./', 'https://A.org.../'];
  expect(urls.map((url) => hostOf(new URL(url)))).toEqual(['2606:4700::1', 'a.org', 'a.org']);
});
