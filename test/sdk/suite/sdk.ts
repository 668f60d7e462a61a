import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { LACKS } from '../lacks';
import { Driver } from './driver';
import { CHECKOUT_DIR, type Language, LANGUAGES, type Start } from './languages';

/** What the cases know of an SDK. */
export interface Sdk {
  language: Language;
  /** A case. It gets a driver that cases share, and names of its own. */
  test(name: string, play: (driver: Driver, own: Own) => Promise<void>): void;
  /** A driver that the test may kill. It ends with the test. */
  newDriver(env?: Record<string, string>): Driver;
  /** Calls it after the test. */
  after(act: () => unknown): void;
}

/** Names that no other case has. */
export interface Own {
  /** For a worker, a client, a gate, a guard. */
  name: string;
}

const DRIVERS: Readonly<Record<Language, string>> = {
  typescript: 'test/sdk/drivers/typescript',
  python: 'sdk/python/tests/driver.py',
  go: 'sdk/go/internal/driver',
};

/** Registers cases for one SDK. What is not run has the reason in its name, which the table shows. */
export function testSdk(language: Language, suites: readonly ((sdk: Sdk) => void)[]): void {
  const missing = missingOf(language);
  const afters: (() => unknown)[] = [];
  let dir: string;
  let start: Start;
  let shared: Driver | undefined;
  let count = 0;
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), `quarterjack-sdk-${language}-`));
    if (missing === undefined) start = LANGUAGES[language].build(dir);
  });
  afterEach(async () => {
    for (const act of afters.splice(0).toReversed()) await act();
  });
  afterAll(async () => {
    await shared?.kill();
    rmSync(dir, { recursive: true });
  });
  const sharedDriver = () => (shared?.isRunning ? shared : (shared = new Driver(start)));
  const sdk: Sdk = {
    language,
    test(name, play) {
      const reason = missing ?? LACKS[language][name];
      const own = { name: `case-${++count}` };
      const act = reason === undefined ? test : test.skip;
      act(reason === undefined ? name : `${name} (not run: ${reason})`, () => play(sharedDriver(), own));
    },
    newDriver(env) {
      const driver = new Driver(start, env);
      afters.push(() => driver.kill());
      return driver;
    },
    after: (act) => void afters.push(act),
  };
  for (const cases of suites) cases(sdk);
}

function missingOf(language: Language): string | undefined {
  if (!existsSync(join(CHECKOUT_DIR, DRIVERS[language]))) return 'the checkout has no driver of it';
  return LANGUAGES[language].missing;
}
