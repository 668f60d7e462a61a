import { type Clock, SECOND_MS } from '../../machine/clock';
import type { AwsReply } from '../aws-call';
import type { FauxqsProtocol } from './fauxqs-protocol';
import type { LocalQueue } from './local-queue';

/** SQS's maximum of `WaitTimeSeconds`. */
const MAX_WAIT_SEC = 20;

interface LongPollDeps {
  protocol: FauxqsProtocol;
  /** Undefined if the queue does not exist. */
  queue: LocalQueue | undefined;
  clock: Clock;
  /** Aborted if the client disconnects. */
  signal: AbortSignal;
}

/**
 * `ReceiveMessage`. Waits here instead of in fauxqs, so that a poll of a disconnected client takes no
 * message.
 */
export async function receiveMessage(
  body: Record<string, unknown>,
  { protocol, queue, clock, signal }: LongPollDeps,
): Promise<AwsReply> {
  const waitSec = Number(body.WaitTimeSeconds ?? queue?.attributes.ReceiveMessageWaitTimeSeconds ?? 0);
  // fauxqs rejects an invalid wait time.
  if (!queue || !(waitSec > 0 && waitSec <= MAX_WAIT_SEC)) return protocol.call('ReceiveMessage', body);
  const untilMs = clock.nowMs() + waitSec * SECOND_MS;
  for (;;) {
    const ready = await queue.whenReady(Math.max(0, untilMs - clock.nowMs()), signal);
    if (signal.aborted) throw new Error('the client has disconnected');
    const reply = await protocol.call('ReceiveMessage', { ...body, WaitTimeSeconds: 0 });
    const empty = reply.status === 200 && !String(reply.body).includes('"ReceiptHandle"');
    if (!ready || !empty || clock.nowMs() >= untilMs) return reply;
  }
}
