import { openBrowser } from '../../../../local/run/open-browser';

const reasonOf = (...opener: [string, ...string[]]): Promise<string> =>
  new Promise((resolve) => {
    openBrowser('http://127.0.0.1:8787/', resolve, opener);
  });

test('a machine without a browser, or without what opens one, says so', async () => {
  expect(await reasonOf(process.execPath, '-e', 'process.exit(3)')).toMatch(
    /found no browser \(exit code 3\)$/,
  );
  expect(await reasonOf('no-such-opener')).toMatch(/no-such-opener ENOENT/);
});
