import { AsyncLocalStorage } from 'node:async_hooks';
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
  test(name: string, play: Play): void;
  /** A case that mostly waits. It begins with the first of them, so that they all wait together. */
  waits(name: string, play: Play): void;
  /** A driver that the test may kill. It ends with the test. */
  newDriver(env?: Record<string, string>): Driver;
  /** Calls it after the case from which this is called. */
  after(act: () => unknown): void;
}

type Play = (driver: Driver, own: Own) => Promise<void>;
type Act = () => Promise<void>;

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

/** Plays cases, some of them side by side. Each has a list of what is to be called after it. */
class Cases {
  private readonly afters = new AsyncLocalStorage<(() => unknown)[]>();
  private readonly waiting: Act[] = [];
  private begun: Promise<void>[] | undefined;

  after(act: () => unknown): void {
    this.afters.getStore()!.push(act);
  }

  play(act: Act): Promise<void> {
    return this.afters.run([], async () => {
      try {
        await act();
      } finally {
        for (const after of this.afters.getStore()!.toReversed()) await after();
      }
    });
  }

  /** Registers a case that is played beside others. Returns what waits for its end. */
  beside(act: Act): Act {
    const at = this.waiting.push(act) - 1;
    return () => this.all()[at]!;
  }

  /** Resolves when all that have begun have ended. Without a filter by name, tests have waited for each. */
  async end(): Promise<void> {
    await Promise.allSettled(this.begun ?? []);
  }

  private all(): Promise<void>[] {
    if (this.begun) return this.begun;
    this.begun = this.waiting.map((act) => this.play(act));
    for (const one of this.begun) one.catch(() => undefined); // its own test gets the error
    return this.begun;
  }
}

/** Registers cases for one SDK. What is not run has the reason in its name, which the table shows. */
export function testSdk(language: Language, suites: readonly ((sdk: Sdk) => void)[]): void {
  const missing = missingOf(language);
  const cases = new Cases();
  let dir: string;
  let start: Start;
  let shared: Driver | undefined;
  let count = 0;
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), `quarterjack-sdk-${language}-`));
    if (missing === undefined) start = LANGUAGES[language].build(dir);
  });
  afterAll(async () => {
    await cases.end();
    await shared?.kill();
    rmSync(dir, { recursive: true });
  });
  const sharedDriver = () => (shared?.isRunning ? shared : (shared = new Driver(start)));
  /** `testOf` makes the test of what plays the case. */
  const register = (name: string, play: Play, testOf: (act: Act) => Act) => {
    const reason = missing ?? LACKS[language][name];
    const own = { name: `case-${++count}` };
    if (reason === undefined)
      test(
        name,
        testOf(async () => play(sharedDriver(), own)),
      );
    else test.skip(`${name} (not run: ${reason})`, () => undefined);
  };
  const sdk: Sdk = {
    language,
    test: (name, play) => register(name, play, (act) => () => cases.play(act)),
    waits: (name, play) =>
      register(name, play, (act) => {
        const ended = cases.beside(act);
        // Its own expectations may be counted for a test that runs meanwhile.
        return async () => expect(await ended()).toBeUndefined();
      }),
    newDriver(env) {
      const driver = new Driver(start, env);
      cases.after(() => driver.kill());
      return driver;
    },
    after: (act) => cases.after(act),
  };
  for (const suite of suites) suite(sdk);
}

function missingOf(language: Language): string | undefined {
  if (!existsSync(join(CHECKOUT_DIR, DRIVERS[language]))) return 'the checkout has no driver of it';
  return LANGUAGES[language].missing;
}
