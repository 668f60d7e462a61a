/**
 * Measures in a local run how tasks of workflows follow one another.
 *
 * - How long the next task takes to be called. A wait begins with the response to the last call that the task
 *   depends on, and ends with the first byte of its own call. Runs follow one after another.
 * - A fan-out: the time to its end, the most items that were called at once, and the writes of an item.
 * - A storm of runs that start at once: none of them may need a repair by a recheck.
 *
 * `npm run bench:tasks -- [--runs 10] [--length 20] [--items 1000] [--window 50] [--storm 100] [--json]`
 *
 * `--runs`: of each workflow. `--length`: tasks of the sequence. `--items`, `--window`: of the fan-out.
 * `--storm`: runs of it, 50 tasks each. 0 items or 0 runs of the storm leave that part out.
 */
import { startSystem } from '../../test/support/local-run';
import { clientsOf } from '../support/client';
import { machine, machineLine } from '../support/machine';
import { numbersFrom } from '../support/options';
import { printJson, run, say, table, wantsJson } from '../support/output';
import { measureFanOut, measureStorm } from './many';
import { startTaskReceiver } from './receiver';
import { DIAMOND, measureWaits, sequenceOf } from './waits';

/** What `docs/performance.md` promises, in milliseconds. */
const GOALS = { p50: 50, p99: 150 };
const ITEM_CALL_MS = 50;
const STORM = { tasks: 50, length: 5 };
/** Projects that share the storm. */
const USERS = 10;

interface Measured {
  waits: Awaited<ReturnType<typeof measureWaits>>[];
  fanOut?: Awaited<ReturnType<typeof measureFanOut>>;
  storm?: Awaited<ReturnType<typeof measureStorm>>;
}

run('bench:tasks', async () => {
  const sizes = numbersFrom({ runs: 10, length: 20, items: 1_000, window: 50, storm: 100 });
  const { runs, length, items, window } = sizes;
  const before = machine();
  const system = await startSystem('--port', '0', '--ephemeral', '--verbose');
  const receiver = await startTaskReceiver();
  try {
    const calls = await clientsOf(system, USERS);
    const [call] = calls;
    const sequence = { name: `sequence-of-${length}`, shape: sequenceOf(length), runs };
    const measured: Measured = {
      waits: [
        await measureWaits(call!, sequence, receiver),
        await measureWaits(call!, { name: 'diamond', shape: DIAMOND, runs }, receiver),
      ],
    };
    const shape = { items, window, callMs: ITEM_CALL_MS };
    if (items > 0) measured.fanOut = await measureFanOut(call!, shape, receiver);
    if (sizes.storm > 0)
      measured.storm = await measureStorm({ system, calls }, { runs: sizes.storm, ...STORM }, receiver);
    const isReached = reaches(measured);
    if (wantsJson()) printJson({ machine: before, measured, isReached });
    else show(measured, machineLine(before));
    if (!isReached) process.exitCode = 1;
  } finally {
    receiver.close();
    await system.end();
  }
});

function reaches({ waits, fanOut, storm }: Measured): boolean {
  const isFast = waits.every(({ p50, p99 }) => p50 < GOALS.p50 && p99 < GOALS.p99);
  const isWithin = !fanOut || (fanOut.mostOpen <= fanOut.window && fanOut.status === 'succeeded');
  const isQuiet = !storm || (storm.repaired === 0 && storm.succeeded === storm.runs);
  return isFast && isWithin && isQuiet;
}

function show({ waits, fanOut, storm }: Measured, line: string): void {
  say(`${line}\n`);
  say(
    table(
      ['workflow', 'runs', 'waits', 'p50, ms', 'p99, ms', 'max, ms'],
      waits.map(({ workflow, runs, waits: count, p50, p99, max }) => [workflow, runs, count, p50, p99, max]),
    ),
  );
  say(`\nThe goal is a p50 below ${GOALS.p50} ms and a p99 below ${GOALS.p99} ms.`);
  if (fanOut) {
    const { items, window, callMs, seconds, mostOpen, writes, status } = fanOut;
    say(`\nA fan-out of ${items} items, ${window} at once, whose calls take ${callMs} ms each:`);
    say(`${status} after ${seconds} s; most at once ${mostOpen}; ${writes} writes an item, counted.`);
  }
  if (storm) {
    const { runs, tasks, seconds, succeeded, started, repaired } = storm;
    say(`\nA storm of ${runs} runs of ${tasks} tasks: ${succeeded} succeeded within ${seconds} s;`);
    say(`${started} tasks started, ${repaired} repairs by rechecks.`);
  }
}
