import { ERRAND_TYPES, type ErrandType } from '../../lambdas/core/contracts/errand-services';
import type { ErrandEventMessage, WatchMessage } from '../../lambdas/core/contracts/messages';
import type { ErrandProbes } from '../../lambdas/core/delivery/errands/errand-calls';
import type { ErrandStart } from '../../lambdas/core/delivery/errands/errand-kind';
import { describeErrandService, type ErrandService } from '../conformance/errand-services.suite';
import { FakeClock } from '../support/fake-clock';
import { FakeRandom } from '../support/fake-random';
import type { Faults } from './faults';
import { EventLog } from './log';
import type { SimNode } from './node';
import { SimErrands } from './sim-errands';

// The model of the simulation. `test/integration/local/errand-kinds.test.ts` asks the stand-ins the same.

interface Received {
  message: WatchMessage;
  probes: ErrandProbes;
}
const received: Received[] = [];

/** The watcher of this test writes nothing: it keeps what it got. */
jest.mock('../../lambdas/watcher/watch', () => ({
  async watch([{ message }]: [{ message: WatchMessage }], deps: { errandProbes: ErrandProbes }) {
    received.push({ message, probes: deps.errandProbes });
    return { failedIds: [] };
  },
}));

const RESOURCE = 'arn:aws:test:eu-central-1:111122223333:it';
const node = { name: 'n', gate: async () => undefined } as unknown as SimNode;
const isEvent = (message: WatchMessage): message is ErrandEventMessage => !('probe' in message);

/** Middling: nothing is a matter of luck. */
class NoLuck extends FakeRandom {
  override fraction(): number {
    return 0.5;
  }
  override id(): string {
    return `id-${++count}`;
  }
}
let count = 0;

function model(type: ErrandType): ErrandService {
  const time = new FakeClock();
  let fails = false;
  const faults = { strikes: (kind: string) => kind === 'errand-fails' && fails } as unknown as Faults;
  const errands = new SimErrands({
    ...{ time, random: new NoLuck(), faults, log: new EventLog(() => time.nowMs()) },
    invoke: async (work) => ({ how: 'done', value: await work({} as Parameters<typeof work>[0], node) }),
  });
  const asked = async (): Promise<ErrandProbes> => {
    const before = received.length;
    errands.order({ v: 1, probe: { jobKey: 'a/b', execId: 'c' } });
    await time.advance(1_000);
    return received[before]!.probes;
  };
  const signal = new AbortController().signal;
  const errandOf = (errand: object) => ({ type, ...errand }) as Parameters<ErrandProbes['stop']>[0];
  return {
    newStart: () =>
      ({ type, name: `qj-51ab07-${++count}-0`, resource: RESOURCE, input: '{}' }) as unknown as ErrandStart,
    start: (start) => time.settle(errands.startsOf(node).start(start, 'p', signal)),
    probe: async (errand) => {
      const probes = await asked();
      return time.settle(probes.probe([errandOf(errand)], 'p', signal).then(([seen]) => seen!));
    },
    stop: async (errand) => {
      const probes = await asked();
      await time.settle(probes.stop(errandOf(errand), 'why', 'p', signal));
    },
    async end(_, how) {
      fails = how === 'failed';
      await time.advance(100_000); // it lasts 90 s at most
      fails = false;
    },
    pass: (ms) => time.advance(ms),
    async heard({ name }, id) {
      const { message, probes } = received.findLast(
        (one) =>
          isEvent(one.message) &&
          [name, id].includes((one.message.detail.name ?? one.message.detail.id) as string),
      )!;
      return probes.ofEvent(message as ErrandEventMessage);
    },
  };
}

describe.each(ERRAND_TYPES)('%s', (type) => {
  let service: ErrandService;
  beforeEach(() => {
    received.length = 0;
    service = model(type);
  });
  describeErrandService(type, () => service);
});
