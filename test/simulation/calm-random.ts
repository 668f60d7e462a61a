import { FakeRandom } from '../support/fake-random';
import type { RunPlan } from './run-plan';

/**
 * The middle of each range, so that waits of one kind are equally long, in whatever order they are drawn. Its
 * ids differ, as the seed decides.
 */
class CalmRandom extends FakeRandom {
  private readonly ids: FakeRandom;

  constructor(seed: number) {
    super(seed);
    this.ids = new FakeRandom(seed);
  }

  override fraction(): number {
    return 0.5;
  }

  override id(): string {
    return this.ids.id();
  }
}

/** What a plan draws within its run, by a seed of its own. */
export const randomOf = ({ calm }: Pick<RunPlan, 'calm'>, seed: number): FakeRandom =>
  calm ? new CalmRandom(seed) : new FakeRandom(seed);
