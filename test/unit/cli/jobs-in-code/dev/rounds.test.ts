import type { JobsProgram } from '../../../../../cli/jobs-in-code/dev/jobs-program';
import type { Loaded, NotLoaded } from '../../../../../cli/jobs-in-code/dev/messages';
import { Rounds } from '../../../../../cli/jobs-in-code/dev/rounds';
import type { ExitStatus } from '../../../../../cli/work/exit-outcome';

/** A program whose ends a test brings about. Ports count up from 1, in the order of the starts. */
class FakeProgram implements JobsProgram {
  readonly loaded: Promise<Loaded | NotLoaded>;
  readonly exited: Promise<ExitStatus>;
  load!: (message: Loaded | NotLoaded) => void;
  exit!: (status: ExitStatus) => void;

  constructor(
    private readonly name: string,
    private readonly events: string[],
  ) {
    this.loaded = new Promise((resolve) => (this.load = resolve));
    this.exited = new Promise((resolve) => (this.exit = resolve));
  }

  finish(): Promise<void> {
    this.events.push(`${this.name} finishes`);
    return Promise.resolve();
  }

  kill(): Promise<void> {
    this.events.push(`${this.name} is killed`);
    return Promise.resolve();
  }
}

/** What happened, in its order. */
let events: string[];
let programs: FakeProgram[];
let refused: string | undefined;
let stop: AbortController;
let ended: Promise<void>;
let changes: (() => void)[];

beforeEach(() => {
  events = [];
  programs = [];
  changes = [];
  refused = undefined;
  stop = new AbortController();
  const rounds = new Rounds({
    module: 'jobs.ts',
    start() {
      const program = new FakeProgram(String(programs.length + 1), events);
      programs.push(program);
      events.push(`${programs.length} starts`);
      return Promise.resolve(program);
    },
    plan() {
      if (refused !== undefined) return Promise.reject(new Error(refused));
      return Promise.resolve(() => {
        events.push('registers');
        return Promise.resolve('1 added');
      });
    },
    relay: { moveTo: (port) => void events.push(`deliveries go to ${port}`) },
    watch: {
      next: () => new Promise((resolve) => changes.push(resolve)),
      watch: (files, { takesAny }) =>
        void events.push(`watches ${files.join()}${takesAny ? ' and more' : ''}`),
    },
    files: ['dev.env'],
    nowMs: () => 0,
    say: (line) => void events.push(`says ${line}`),
    signal: stop.signal,
  });
  ended = rounds.run(() => void events.push('is ready'));
});
afterEach(async () => {
  stop.abort();
  await ended;
});

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
/** What has happened since the last call. */
async function seen(): Promise<string[]> {
  await settled();
  return events.splice(0);
}
const LOADED = (port: number): Loaded => ({
  port,
  jobs: [{ jobId: 'a', definition: {} }],
  unexported: [],
  files: ['jobs.ts'],
});
function change(): void {
  for (const resolve of changes.splice(0)) resolve();
}

test('a program is served before its jobs are registered, and its former ends after that', async () => {
  await settled();
  programs[0]!.load(LOADED(1));
  expect(await seen()).toEqual([
    '1 starts',
    'watches jobs.ts,dev.env',
    'deliveries go to 1',
    'registers',
    'says jobs.ts: 1 job, 1 added',
    'is ready',
  ]);
  change();
  await settled();
  programs[1]!.load({ ...LOADED(2), unexported: ['own'] });
  expect(await seen()).toEqual([
    '2 starts',
    'watches jobs.ts,dev.env',
    'deliveries go to 2',
    '1 finishes',
    'registers',
    'says jobs.ts: 1 job, 1 added; not exported: own',
  ]);
});

describe('with a program', () => {
  beforeEach(async () => {
    await settled();
    programs[0]!.load(LOADED(1));
    await seen();
  });

  test('one that cannot be loaded changes nothing, and any source beside it may mend it', async () => {
    change();
    await settled();
    programs[1]!.load({ error: 'wrong', files: ['jobs.ts'] });
    expect(await seen()).toEqual([
      '2 starts',
      'watches jobs.ts,dev.env and more',
      'says wrong',
      'says The jobs stay as they were.',
      '2 is killed',
    ]);
  });

  test('one whose jobs are refused changes nothing', async () => {
    refused = 'no such zone';
    change();
    await settled();
    programs[1]!.load(LOADED(2));
    const what = await seen();
    expect(what.filter((one) => /deliveries|finishes|registers/.test(one))).toEqual([]);
    expect(what.at(-1)).toBe('2 is killed');
  });

  test('a change while one is loaded starts another', async () => {
    change();
    await seen();
    change();
    expect(await seen()).toEqual(['2 is killed', '3 starts']);
  });

  test('one that ends gets no deliveries, and is started again', async () => {
    programs[0]!.exit({ code: 7, signal: null });
    expect(await seen()).toEqual([
      'deliveries go to undefined',
      '1 finishes',
      'says The program of the jobs has ended (exit code 7). It is started again.',
    ]);
    change(); // in place of the delay
    expect(await seen()).toEqual(['2 starts']);
  });
});

test('without a former one, what cannot be loaded is said to serve nothing', async () => {
  await settled();
  programs[0]!.load({ error: 'wrong', files: ['jobs.ts'] });
  expect(await seen()).toContain('says No job is served until this is mended.');
});
