import type {
  ErrandEvent,
  ErrandStart,
  KnownErrand,
  Probed,
  Started,
} from '../../lambdas/core/delivery/errands/errand-kind';
import { type ErrandType } from '../../lambdas/core/contracts/errand-services';
import { ERRAND_RULES } from '../../lambdas/core/domain/errand';

const MINUTE_MS = 60_000;

/** A service that does errands of one type: the stand-in of the local run, or the model of the simulation. */
export interface ErrandService {
  /** Under a name of its own. */
  newStart(): ErrandStart;
  start(start: ErrandStart): Promise<Started>;
  probe(errand: KnownErrand): Promise<Probed>;
  stop(errand: KnownErrand): Promise<void>;
  /** Ends what runs under a name, and tells that. */
  end(name: string, how: 'succeeded' | 'failed'): Promise<void>;
  /** Passes time, at the end of which everything that was asked for has been done. */
  pass(ms: number): Promise<void>;
  /** What the last event of the errand tells. */
  heard(start: ErrandStart, id: string | undefined): Promise<ErrandEvent | undefined>;
}

/**
 * What the protocol relies on. The clients of AWS ask the stand-ins, and the model of the simulation has the
 * interface of the stages. What holds for both is what the seeds have played.
 */
export function describeErrandService(type: ErrandType, given: () => ErrandService): void {
  const rules = ERRAND_RULES[type];
  const hasIds = type !== 'stepfunctions';
  const known = ({ name, resource, runsIn }: ErrandStart, id?: string): KnownErrand => ({
    ...{ name, resource, ...(runsIn !== undefined && { runsIn }), firstStartAtMs: 0 },
    ...(id !== undefined && { id }),
  });
  async function started(start = given().newStart()): Promise<{ start: ErrandStart; id?: string }> {
    const answer = await given().start(start);
    if (answer.how !== 'started') throw new Error(`not started: ${JSON.stringify(answer)}`);
    expect(answer.id !== undefined).toBe(hasIds);
    return { start, ...(answer.id !== undefined && { id: answer.id }) };
  }

  describe(`a service of ${type}`, () => {
    test('what is started runs: by its id, and by its name', async () => {
      const { start, id } = await started();
      const running = { state: 'running', ...(id !== undefined && { id }) };
      expect(await given().probe(known(start, id))).toEqual(running);
      expect(await given().probe(known(start))).toEqual(running);
    });

    test('an unknown name is none', async () => {
      await started();
      expect(await given().probe(known(given().newStart()))).toEqual({ state: 'none' });
    });

    test('a repeated start is the same one, unless the type has no token', async () => {
      const { start, id } = await started();
      const again = await started(start);
      if (hasIds) expect(again.id === id).toBe(rules.repeatableForMs > 0);
      else expect(await given().probe(known(start))).toEqual({ state: 'running' });
    });

    test.each(['succeeded', 'failed'] as const)('%s: the event tells what a probe tells', async (how) => {
      const { start, id } = await started();
      await given().end(start.name, how);
      const seen = await given().probe(known(start, id));
      expect(seen).toMatchObject({ state: 'ended', end: { how } });
      const heard = await given().heard(start, id);
      expect(heard?.end.how).toBe(how);
      if (hasIds) expect(heard?.id).toBe(id);
      expect(heard?.name).toBe(rules.isKnownById ? undefined : start.name);
    });

    test('what is stopped has been stopped', async () => {
      const { start, id } = await started();
      await given().stop(known(start, id));
      await given().pass(MINUTE_MS);
      expect(await given().probe(known(start, id))).toMatchObject({
        state: 'ended',
        end: { how: 'stopped' },
      });
    });

    test('an end is known for as long as an executor may start it again', async () => {
      const { start, id } = await started();
      await given().end(start.name, 'succeeded');
      await given().pass(Math.min(rules.repeatableForMs, 40 * MINUTE_MS));
      expect(await given().probe(known(start, id))).toMatchObject({ state: 'ended' });
    });

    if (type === 'codebuild')
      test('a token is forgotten after five minutes: the same start is another build then', async () => {
        const { start, id } = await started();
        await given().pass(5 * MINUTE_MS + 1_000);
        expect((await started(start)).id).not.toBe(id);
      });

    if (type === 'ecs')
      test('a task is forgotten an hour after its end, with the token of its start', async () => {
        const { start, id } = await started();
        await given().end(start.name, 'succeeded');
        await given().pass(61 * MINUTE_MS);
        expect(await given().probe(known(start, id))).toEqual({ state: 'none' });
        expect((await started(start)).id).not.toBe(id);
      });
  });
}
