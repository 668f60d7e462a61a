import { parseSigningHost, signingHostOf } from '../../../../lambdas/core/domain/signing-host';

test.each([
  ['https://example.com/hook', 'example.com'],
  ['https://EXAMPLE.com:443/', 'example.com'],
  ['https://example.com.', 'example.com'],
  ['https://example.com:8443/a?b', 'example.com:8443'],
  ['https://bücher.example', 'xn--bcher-kva.example'],
  ['https://2130706433/', '127.0.0.1'],
  ['http://127.0.0.1:9000/hook', '127.0.0.1:9000'],
  ['http://localhost/', 'localhost:80'],
  ['http://localhost:443/', 'localhost'],
  ['http://[::1]:9000/', '[::1]:9000'],
  ['nowhere', undefined],
  [`https://${'a.'.repeat(150)}example/`, undefined],
])('the host of %s is %s', (url, host) => expect(signingHostOf(url)).toBe(host));

test.each([
  ['Bücher.Example.:8443', 'xn--bcher-kva.example:8443'],
  ['example.com:443', 'example.com'],
  ['example.com:80', 'example.com:80'],
  ['[0:0::1]:9000', '[::1]:9000'],
  ['', undefined],
  ['.', undefined],
  ['exa\nmple.com', undefined],
  ['example.com:99999', undefined],
  ['https://example.com', undefined],
  ['example.com/', undefined],
  ['a@example.com', undefined],
])('%j names the host %s', (text, host) => expect(parseSigningHost(text)).toBe(host));

test('a host that a user names is the one that signs a call of it', () => {
  for (const authority of ['Example.COM', 'bücher.example.:8443', '[::1]:9000', '127.1'])
    expect(parseSigningHost(authority)).toBe(signingHostOf(`https://${authority}/hook?x=1`));
});
