import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openApiDocument } from '../../../lambdas/core/http/openapi/document';
import { go, GO_MODULE, GO_SDK_DIR, withGo } from '../../support/go';

const PAGE = readFileSync(join(__dirname, '../../../docs/go.md'), 'utf8');
const sources = readdirSync(GO_SDK_DIR, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.go'),
);
/** The race detector needs a C compiler. */
const RACE = spawnSync('gcc', ['--version']).status === 0 ? ['-race'] : [];

test('the module has the name of the repository, and needs no other', () => {
  const text = readFileSync(join(GO_SDK_DIR, 'go.mod'), 'utf8');
  expect(text).toMatch(new RegExp(`^module ${GO_MODULE}\n\ngo \\d\\.\\d+\n$`));
  expect(readFileSync(join(GO_SDK_DIR, '../../docs/go.md'), 'utf8')).toContain(`go get ${GO_MODULE}\n`);
});

test('no file of the module has more than 300 lines, but the models, which are generated', () => {
  const linesOf = (file: string) => readFileSync(join(GO_SDK_DIR, file), 'utf8').split('\n').length - 1;
  expect(sources.filter((file) => linesOf(file) > 300)).toEqual(['models.go']);
});

withGo('gofmt changes nothing, in the page for Go neither', async () => {
  const blocks = [...PAGE.matchAll(/^```go\n(package .*?)^```/gms)].map(([, code = '']) => code);
  expect(blocks).toHaveLength(3);
  for (const code of blocks) expect(execFileSync('gofmt', { input: code, encoding: 'utf8' })).toBe(code);
  expect(execFileSync('gofmt', ['-l', '.'], { cwd: GO_SDK_DIR, encoding: 'utf8' })).toBe('');
});

withGo('go vet has nothing to say', async () => {
  expect(await go(['vet', './...'], GO_SDK_DIR)).toBe('');
});

/**
 * A new route needs a method in `sdk/go`. These have none: the calls of workers, and documents that need no
 * token.
 */
const ELSEWHERE =
  /^\w+ \/v1\/(?:attempts\/\w+|work\/(?:claim|release)|ping-key\/monitors|health|openapi\.json|problems\/\{\})$/;

withGo('the tests of the module pass, and its client has each route', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'quarterjack-go-'));
  const file = join(dir, 'routes.json');
  try {
    const printed = await go(['test', '-count=1', ...RACE, './...'], GO_SDK_DIR, {
      QUARTERJACK_ROUTES: file,
    });
    expect(printed).toMatch(/^ok .*\/jobs\s/m);
    const routes = Object.entries(openApiDocument().paths!).flatMap(([path, methods]) =>
      Object.keys(methods as object).map(
        (method) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '{}')}`,
      ),
    );
    const called = JSON.parse(readFileSync(file, 'utf8')) as string[];
    expect(called).toEqual(routes.filter((route) => !ELSEWHERE.test(route)).toSorted());
  } finally {
    rmSync(dir, { recursive: true });
  }
});

/** What each error has: it needs no words. */
const PLAIN = ['Error', 'Unwrap', 'MarshalJSON', 'UnmarshalJSON'];

test('each exported name has a comment that begins with it', () => {
  const silent = sources
    .filter((file) => !file.endsWith('_test.go'))
    .flatMap((file) => {
      const text = readFileSync(join(GO_SDK_DIR, file), 'utf8');
      const found = text.matchAll(
        /(\/\/[^\n]*\n)?^(?:func (?:\([^)]*\b[A-Z]\w*(?:\[T\])?\) )?|type )([A-Z]\w*)/gm,
      );
      return [...found]
        .filter(([, comment = '', name]) => !comment && !PLAIN.includes(name!))
        .map(([line]) => `${file}: ${line}`);
    });
  expect(silent).toEqual([]);
});

withGo('go doc shows what the packages are', async () => {
  for (const [folder, about] of [
    ['.', 'calls the API of Quarterjack'],
    ['./worker', 'runs the executions that wait in a work queue'],
    ['./jobs', 'defines jobs beside the functions that do their work'],
  ] as const)
    expect(await go(['doc', folder], GO_SDK_DIR)).toContain(about);
});
