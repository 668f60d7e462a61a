import { quotaExceeded } from '../../lambdas/api/http/problem';
import type { Rates } from '../../lambdas/core/quotas/rates';
import type { Call } from './dynamo/memory-dynamo';
import { rowsPut } from './kill-between';
import { noQuotas } from './no-quotas';
import type { PipelineWorld } from './pipeline-world';
import { SEND } from './stage-nodes';

const SECOND_MS = 1_000;
export const TIMES = 20;
/** Between two requests that come at one time. */
export const APART_MS = 10;
/** How long a write of an execution takes then: all requests have read the row before. */
const SLOW_WRITE_MS = 400;

/** What the API files and sends from now on, and what it is charged. `full`: charges of these are refused. */
export function meter(world: PipelineWorld, full: readonly (keyof Rates)[] = []) {
  const entries = new Set<string>();
  const seen = { units: 0, messages: 0, writes: 0, entries: () => entries.size };
  world.onCall = (by, call) => {
    if (by !== 'api' && by !== 'worker') return;
    if (call.command === SEND) seen.messages += (call.input.messages as unknown[]).length;
    else if (isWrite(call)) seen.writes += 1;
    for (const { bucket, entry, v } of rowsPut(call, 'schedule'))
      if (v !== undefined && !String(bucket).startsWith('#')) entries.add(JSON.stringify([bucket, entry]));
  };
  jest.spyOn(noQuotas.quotas, 'chargeRate').mockImplementation(async (_, rate, count = 1) => {
    if (full.includes(rate)) throw quotaExceeded(`no room for ${rate}`, SECOND_MS);
    if (rate !== 'requests') seen.units += count;
  });
  return seen;
}

const isWrite = ({ command }: Call): boolean => !/^(Get|BatchGet|Query|Scan)/.test(command);

/** Requests that have all read before the first of them writes a row. Their statuses. */
export async function atOneTime(world: PipelineWorld, request: () => Promise<{ status: number }>) {
  world.dynamo.faults = {
    before: async ({ command }) => {
      if (command === 'UpdateCommand' || command === 'TransactWriteCommand')
        await world.clock.sleep(SLOW_WRITE_MS);
    },
  };
  const asked: Promise<{ status: number }>[] = [];
  for (let times = 0; times < TIMES; times++) {
    asked.push(request());
    await world.clock.flush();
    await world.clock.advance(APART_MS);
  }
  const answers = await world.clock.settle(Promise.all(asked));
  world.dynamo.faults = {};
  return answers.map(({ status }) => status);
}
