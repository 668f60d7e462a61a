import type { FakeRandom } from '../../../support/fake-random';
import { type Body, drawFields, type FieldDraws, maybe } from './drawn';

/** `hasStatuses`: one of the targets is called by HTTP. */
export const drawRetry = (random: FakeRandom, hasStatuses: boolean): Body =>
  drawFields({
    maxAttempts: () => maybe(random, 0.6, () => random.between(1, 4)),
    initialDelay: () => maybe(random, 0.6, () => random.pick(['1s', '5s', '9s'])),
    maxDelay: () => maybe(random, 0.6, () => random.pick(['10s', '40s'])),
    multiplier: () => maybe(random, 0.3, () => random.pick([1, 3])),
    jitter: () => maybe(random, 0.3, () => 'none'),
    maxAge: () => maybe(random, 0.4, () => random.pick(['2m', '10m'])),
    on: () => maybe(random, hasStatuses ? 0.4 : 0, () => random.pick([[503, '4xx'], ['5xx'], ['3xx', 429]])),
  } satisfies FieldDraws<string>);
