import { parseUrl } from '../../../../lambdas/core/domain/parse-url';

test('parses names beyond ASCII, however often it is called', () => {
  const hosts = new Set(
    Array.from({ length: 20_000 }, () => parseUrl('https://b\u00fccher.example')?.hostname),
  );
  expect([...hosts]).toEqual(['xn--bcher-kva.example']);
});

test.each(['', 'nowhere', 'https://', 'https://exa mple.com'])('%j is no URL', (text) => {
  expect(parseUrl(text)).toBeUndefined();
});
