/** Writes docs/capacity.md: `npm run capacity -- --fires-per-minute 1000000`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { SCENARIOS } from '../cost/scenarios';
import { numbersFrom } from '../support/options';
import { run, say } from '../support/output';
import { capacityPage } from './page';

const PAGE = join(__dirname, '../../docs/capacity.md');
/** Fires a minute that are always on the page. A rate from the command line is added. */
const RATES = [10_000, 100_000, 1_000_000];
const MAX_RATE = 10_000_000;

run('capacity', async () => {
  const { 'fires-per-minute': asked } = numbersFrom({ 'fires-per-minute': RATES.at(-1)! });
  if (asked < 1 || asked > MAX_RATE)
    throw new Error(`--fires-per-minute is ${asked}; expected 1 to ${MAX_RATE}`);
  const rates = [...new Set([...RATES.filter((rate) => rate !== asked), asked])];
  const markdown = capacityPage(rates, await SCENARIOS.recurringFire());
  const { format } = await import('oxfmt');
  const { code } = await format(PAGE, markdown, { printWidth: 110, proseWrap: 'always' });
  writeFileSync(PAGE, code);
  say(`wrote ${PAGE}`);
});
