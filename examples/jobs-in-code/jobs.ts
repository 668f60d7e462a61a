/** The jobs of a shop. Each program beside this file serves them in another way. */
import { after, cron, defineJob } from 'quarterjack/jobs';
import * as z from 'zod';

export const report = defineJob({
  id: 'nightly-report',
  schedule: cron('30 2 * * MON-FRI', { timezone: 'Europe/Berlin' }),
  schema: z.object({ region: z.string().default('eu') }),
  retry: { maxAttempts: 5 },
  timeout: '10m',
  run({ payload, dueAt, log }) {
    const day = dueAt.toISOString().slice(0, 10);
    log.info(`the report of ${payload.region} for ${day}`); // your work
    return { region: payload.region, day };
  },
});

export const cleanUp = defineJob({ id: 'clean-up', schedule: after(report), run: () => undefined });

/** Asked for by a program: `await reminder.schedule({ orderId }, { in: '30m', key: orderId })`. */
export const reminder = defineJob({
  id: 'reminder',
  schema: z.object({ orderId: z.string() }),
  timeout: '1m',
  run: ({ payload }) => ({ reminded: payload.orderId }),
});
