import { SendError } from '../../../lambdas/core/queue/execution-queue';
import { aMessage } from '../../support/factories';
import { FakeRandom } from '../../support/fake-random';
import { FakeClock } from '../../support/fake-clock';
import { MemoryQueue } from '../../support/memory-queue';

describe('MemoryQueue', () => {
  const one = { message: aMessage(), delaySec: 0 };

  it('delivers a delayed message in its second, once while it is hidden', async () => {
    const clock = new FakeClock();
    const queue = new MemoryQueue(clock, { visibilitySec: 30 });
    await queue.send([{ ...one, delaySec: 5 }]);
    await clock.advance(4_999);
    expect(queue.receive('default', 'medium')).toEqual([]);
    expect(await queue.backlog('default', 'medium')).toEqual({ visible: 0, inFlight: 0 });
    await clock.advance(1);
    const [received] = queue.receive('default', 'medium');
    expect(received).toMatchObject({ message: one.message, receiveCount: 1 });
    expect(queue.receive('default', 'medium')).toEqual([]);
    expect(await queue.backlog('default', 'medium')).toEqual({ visible: 0, inFlight: 1 });
    queue.delete(received!.receiptHandle);
    await clock.advance(60_000);
    expect(queue.messages).toEqual([]);
  });

  it('delivers an unacknowledged message again, and finally moves it to the dead letters', async () => {
    const clock = new FakeClock();
    const queue = new MemoryQueue(clock, { visibilitySec: 30, maxReceiveCount: 2 });
    await queue.send([one]);
    const [first] = queue.receive('default', 'medium');
    await clock.advance(30_000);
    const [second] = queue.receive('default', 'medium');
    expect(second!.receiveCount).toBe(2);
    queue.delete(first!.receiptHandle);
    expect(queue.messages).toHaveLength(1);
    queue.changeVisibility(second!.receiptHandle, 0);
    expect(queue.receive('default', 'medium')).toEqual([]);
    expect(queue.deadLetters).toEqual([one.message]);
  });

  it('rejects what SQS rejects: an invalid delay, an invalid message, an unknown pool', async () => {
    const queue = new MemoryQueue(new FakeClock());
    await expect(queue.send([{ ...one, delaySec: 901 }])).rejects.toThrow('delaySec is 901');
    await expect(queue.send([{ ...one, message: aMessage({ attempt: 0 }) }])).rejects.toThrow();
    await expect(queue.send([{ ...one, message: aMessage({ pool: 'x' }) }])).rejects.toThrow('pool "x"');
  });

  it('accepts the other messages of a batch if a fault rejects one', async () => {
    const queue = new MemoryQueue(new FakeClock(), {
      beforeAccept: ({ message }) => {
        if (message.attempt === 2) throw new Error('no');
      },
    });
    const two = { ...one, message: aMessage({ attempt: 2 }) };
    const error = await queue.send([one, two, one]).catch((reason: unknown) => reason as SendError);
    expect(error).toBeInstanceOf(SendError);
    expect((error as SendError).rejected).toEqual([two]);
    expect(queue.messages).toHaveLength(2);
  });
});

describe('FakeRandom', () => {
  it('gives the same run for the same seed, in range', () => {
    const run = (seed: number) => {
      const random = new FakeRandom(seed);
      return [random.fraction(), random.id(), random.between(3, 5), random.pick(['a', 'b'])];
    };
    expect(run(7)).toEqual(run(7));
    expect(run(7)).not.toEqual(run(8));
    const random = new FakeRandom();
    for (let draw = 0; draw < 1_000; draw++) {
      const fraction = random.fraction();
      expect(fraction >= 0 && fraction < 1).toBe(true);
    }
    expect(random.id()).toMatch(/^[a-z0-5]{26}$/);
  });
});
