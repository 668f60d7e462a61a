import { T0_MS } from '../../../support/factories';
import type { FakeRandom } from '../../../support/fake-random';
import { MINUTE_MS } from '../draws';
import { type Body, given, maybe } from './drawn';

const SECOND_MS = 1_000;
const YEAR_AGO_MS = T0_MS - 365 * 24 * 60 * MINUTE_MS;

/** Dates of a year ago, for a few minutes. */
export function drawBackfill(random: FakeRandom): Body {
  const fromMs = YEAR_AGO_MS + random.between(0, 60) * MINUTE_MS;
  return given({
    from: new Date(fromMs).toISOString(),
    to: new Date(fromMs + random.between(60, 300) * SECOND_MS).toISOString(),
    parallel: maybe(random, 0.5, () => random.between(2, 3)),
    order: maybe(random, 0.5, () => 'desc'),
    only: maybe(random, 0.7, () => random.pick(['all', 'all', 'missing'])),
    onFailure: maybe(random, 0.5, () => 'stop'),
    overlap: maybe(random, 0.5, () => 'ignore'),
    priority: maybe(random, 0.5, () => random.pick(['high', 'medium'])),
  });
}
