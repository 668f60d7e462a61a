import { type ClaimAnswer, claimExecution } from '../core/attempts/claim';
import { isLate } from '../core/attempts/late-claim';
import { SECOND_MS } from '../core/clock/clock';
import { type ExecutionMessage, isForWorkers } from '../core/contracts/messages';
import { jobRefOf } from '../core/contracts/tables';
import { signingHostOf } from '../core/domain/signing-host';
import type { ExecutorDeps } from './deps';
import type { Received } from './next-task';

/** How long before its time an attempt begins to prepare its claim and its call. */
const PREPARE_BEFORE_MS = SECOND_MS / 2;
/** A prepared claim says its planned instant. One that would leave later than this after it is made anew. */
const MOST_LATE_MS = 5;

/** What messages have at their start. */
export interface Prepared {
  /** The claims that have left. A message that has none here is still to be claimed. */
  claims: ReadonlyMap<ExecutionMessage, Promise<ClaimAnswer>>;
  /** Closes what no call has taken. */
  close(): Promise<void>;
}

/**
 * Waits for the start of messages that start together. Meanwhile, connects to their targets, reads what signs
 * their calls, and makes text and signature of their claims. The claims leave at the start.
 */
export async function prepareUntil(
  group: readonly Received[],
  startAtMs: number,
  deps: ExecutorDeps,
): Promise<Prepared> {
  await sleepUntil(startAtMs - PREPARE_BEFORE_MS, deps);
  const messages = deps.clock.nowMs() < startAtMs ? group.map(({ message }) => message) : [];
  const close = connect(messages, deps);
  const leave = prepareClaims(messages, startAtMs, deps);
  await sleepUntil(startAtMs, deps);
  return { claims: leave(), close };
}

/** @returns what closes the connections that no call has taken */
function connect(messages: readonly ExecutionMessage[], deps: ExecutorDeps): () => Promise<void> {
  const { connectEarly } = deps;
  const closes: (() => void)[] = [];
  const reading: Promise<void>[] = [];
  for (const { jobKey, origin } of messages) {
    if (!connectEarly || origin === undefined) continue;
    const { userId } = jobRefOf(jobKey);
    closes.push(connectEarly(userId, origin));
    reading.push(readSigningSecrets(userId, origin, deps));
  }
  return async () => {
    for (const close of closes) close();
    await Promise.all(reading); // no read is left to the next invocation, which may come after a freeze
  };
}

/** Never throws: the call reads what is missing, and reports why it cannot. */
async function readSigningSecrets(userId: string, origin: string, deps: ExecutorDeps): Promise<void> {
  const host = signingHostOf(origin);
  if (host !== undefined) await deps.signingSecrets(userId, host).catch(() => undefined);
}

/**
 * Makes the claims of messages that no gate concerns: a gate decides at the start. A frozen process may call
 * what this returns too late. Then the claims never leave, and are made anew with their true time.
 *
 * @returns what sends the claims, and returns those that it has sent
 */
function prepareClaims(
  messages: readonly ExecutionMessage[],
  startAtMs: number,
  deps: ExecutorDeps,
): () => Prepared['claims'] {
  let leave = (): void => undefined;
  let drop = leave;
  const heldUntil = new Promise<void>((resolve, reject) => {
    leave = resolve;
    drop = () => reject(new Error('the claim would have left late'));
  });
  const at = { nowMs: startAtMs, heldUntil };
  const mayBePrepared = (message: ExecutionMessage): boolean =>
    !isForWorkers(message) && !deps.gates.concern(message) && !isLate(message, startAtMs);
  heldUntil.catch(() => undefined); // there may be no claim that fails with it
  const claims = messages.filter(mayBePrepared).map((message) => {
    const claim = claimExecution(message, undefined, deps, claimedAs(message, deps), at);
    claim.catch(() => undefined); // who awaits it is told, and a dropped one has failed by intent
    return [message, claim] as const;
  });
  return () => {
    const isInTime = deps.clock.nowMs() - startAtMs <= MOST_LATE_MS;
    if (isInTime) leave();
    else drop();
    return new Map(isInTime ? claims : []);
  };
}

/** What the claim of a message says besides. */
export const claimedAs = ({ errand }: ExecutionMessage, { errandStarts }: ExecutorDeps) =>
  errand ? { openErrand: errandStarts.prefix } : {};

/** Sleeps until the wall clock says so: a timer alone may fire early. */
async function sleepUntil(atMs: number, { clock }: Pick<ExecutorDeps, 'clock'>): Promise<void> {
  for (let leftMs = atMs - clock.nowMs(); leftMs > 0; leftMs = atMs - clock.nowMs())
    await clock.sleep(leftMs);
}
