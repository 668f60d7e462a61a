import { type Delivery, FenceGuard, verifyDelivery } from '../../../../client';
import type { Command } from './messages';

const guards = new Map<string, FenceGuard>();

const verified = ({ secrets, headers, bodyBase64, toleranceSec, nowMs }: Command): Delivery =>
  verifyDelivery(Buffer.from(bodyBase64, 'base64'), headers, { secret: secrets, toleranceSec, nowMs });

export const deliveryCommands = {
  verify(command: Command): object {
    const { id, jobId, execId, attempt, fence, dueAt, target, key, body } = verified(command);
    return { id, jobId, execId, attempt, fence, dueAt, target, key, body };
  },
  async admit(command: Command): Promise<void> {
    const guard = guards.get(command.guard) ?? new FenceGuard();
    guards.set(command.guard, guard);
    await guard.admit(verified(command));
  },
};
