import { ExecutionMessage, MESSAGE_VERSION } from '../../lambdas/core/contracts/messages';
import type { Received } from '../../lambdas/executor/next-task';
import type { FakeRandom } from '../support/fake-random';

/** A deployment replaces the code. Until it is over, both versions run side by side. */
export interface Rollout {
  fromMs: number;
  untilMs: number;
  /**
   * The version before the present one is replaced by it. It reads all, and writes rows that lack attributes.
   * Absent: the present version is replaced by the next one.
   */
  older?: true;
}

/**
 * What rows lack that the older version has written, and their readers have to do without. Nothing before the
 * first release. A version that adds an attribute lists it here, until no deployment updates from before it.
 */
export const NOT_YET_WRITTEN: Readonly<Record<'jobs' | 'executions', readonly string[]>> = {
  jobs: [],
  executions: [],
};

/**
 * The next version of the code sends messages with an attribute that the present one does not know. It reads
 * both.
 */
const NEXT_VERSION = MESSAGE_VERSION + 1;

/** Which version of the code an invocation runs: the next one ever more often, and in the end always. */
export class CodeVersions {
  constructor(
    private readonly rollout: Rollout | undefined,
    private readonly random: FakeRandom,
    private readonly elapsedMs: () => number,
  ) {}

  /** The version of the messages that it reads, and whether it writes rows as the older version does. */
  ofInvocation(): { messages: number; writesOldRows: boolean } {
    if (!this.rollout) return { messages: MESSAGE_VERSION, writesOldRows: false };
    const { fromMs, untilMs, older } = this.rollout;
    const done = (this.elapsedMs() - fromMs) / (untilMs - fromMs);
    const isReplaced = this.random.fraction() < done;
    if (older) return { messages: MESSAGE_VERSION, writesOldRows: !isReplaced };
    return { messages: isReplaced ? NEXT_VERSION : MESSAGE_VERSION, writesOldRows: false };
  }
}

/** A message as this version of the code sends it. */
export const sentBy = <Message extends { v: number }>(version: number, message: Message): Message =>
  version === NEXT_VERSION ? { ...message, v: NEXT_VERSION, knownSince: NEXT_VERSION } : message;

/** A message as this version of the code reads it. Undefined: it cannot. */
export function readBy(version: number, message: unknown): ExecutionMessage | undefined {
  const { knownSince, ...present } = message as { knownSince?: number };
  const isReadable = knownSince === undefined || version === NEXT_VERSION;
  return isReadable ? ExecutionMessage.parse({ ...present, v: MESSAGE_VERSION }) : undefined;
}

/** Whether this version of the code reads a scan or sweep request. */
export const reads = (version: number, { v }: { v: number }): boolean => v <= version;

interface VersionedBatch {
  version: number;
  batch: readonly Received[];
  unread(execId: string): void;
}

/** Executes the messages that this version reads. The others go back to their queue, as in Lambda. */
export async function executeReadable(
  { version, batch, unread }: VersionedBatch,
  execute: (batch: readonly Received[]) => Promise<{ failedIds: readonly string[] }>,
): Promise<{ failedIds: readonly string[] }> {
  const readable: Received[] = [];
  const unreadableIds: string[] = [];
  for (const { id, message: sent } of batch) {
    const message = readBy(version, sent);
    if (message) readable.push({ id, message });
    else unreadableIds.push(id);
    if (!message) unread(sent.execId);
  }
  if (readable.length === 0) return { failedIds: unreadableIds };
  const { failedIds } = await execute(readable);
  return { failedIds: [...unreadableIds, ...failedIds] };
}
