import type { Context } from 'aws-lambda';

import { TickEvent } from '../../../../lambdas/core/contracts/messages';
import { scheduledHandler } from '../../../../lambdas/core/platform/scheduled-handler';
import { RecordingLog } from '../../../support/recording-log';
import { RecordingMeter } from '../../../support/recording-meter';

const context = { awsRequestId: 'request-1', getRemainingTimeInMillis: () => 4_200 } as Context;

describe('scheduledHandler', () => {
  const observability = () => ({
    log: Object.assign(new RecordingLog(), { begin: jest.fn() }),
    meter: Object.assign(new RecordingMeter(), { flush: jest.fn() }),
  });

  it('parses the event, works within the limits, and says what came of it', async () => {
    const { log, meter } = observability();
    const handler = scheduledHandler(TickEvent, { log, meter }, async ({ kind }, limits) => ({
      kind,
      remainingMs: limits.remainingMs(),
    }));
    expect(await handler({ kind: 'sweep' }, context)).toEqual({ kind: 'sweep', remainingMs: 4_200 });
    expect(log.lines).toEqual([
      { level: 'info', message: 'done', fields: { result: { kind: 'sweep', remainingMs: 4_200 } } },
    ]);
    expect(meter.flush).toHaveBeenCalledTimes(1);
    expect(handler).toHaveLength(2);
  });

  it.each([[undefined], [{}], [{ kind: 'reap' }], [{ kind: 'scan', time: 'then' }]])(
    'refuses a forged event: %j',
    async (event) => {
      const { log, meter } = observability();
      const work = jest.fn();
      await expect(scheduledHandler(TickEvent, { log, meter }, work)(event, context)).rejects.toThrow();
      expect(work).not.toHaveBeenCalled();
      expect(log.messages('error')).toEqual(['invocation failed']);
    },
  );

  it('fails the invocation with the error of its work, metrics written all the same', async () => {
    const { log, meter } = observability();
    const error = new Error('no');
    const handler = scheduledHandler(TickEvent, { log, meter }, () => Promise.reject(error));
    await expect(handler({ kind: 'scan' }, context)).rejects.toBe(error);
    expect(log.lines).toContainEqual(expect.objectContaining({ message: 'invocation failed', cause: error }));
    expect(meter.flush).toHaveBeenCalledTimes(1);
  });
});
