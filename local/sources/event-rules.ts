import { SECURE_TRANSPORT, type Access } from '../iam/access';
import { messageOf } from '../run/errors';
import type { EndEvent } from '../services/step-functions/execution';
import type { EventDetailPattern } from '../template/types/events';
import type { EventRuleSpec } from '../template/stack';

interface RuleDeps {
  access: Pick<Access, 'allowsService'>;
  accountId: string;
  send(queueArn: string, body: string): Promise<void>;
  onError(line: string): void;
}

/**
 * Delivers an event of the default bus to the queues of all rules that it matches. The policies of the queues
 * have to permit it. What cannot be delivered is lost, as in AWS without a dead-letter queue.
 */
export const eventRules =
  (rules: readonly EventRuleSpec[], { access, accountId, send, onError }: RuleDeps) =>
  async (event: EndEvent): Promise<void> => {
    for (const rule of rules.filter((one) => matches(one, event)))
      for (const queueArn of rule.queueArns) {
        const context = {
          ...SECURE_TRANSPORT,
          'aws:sourcearn': rule.arn,
          'aws:sourceaccount': accountId,
        };
        const request = { action: 'sqs:SendMessage', resource: queueArn, context };
        if (!access.allowsService('events.amazonaws.com', request)) continue;
        await send(queueArn, JSON.stringify(event)).catch((error: unknown) =>
          onError(`rule ${rule.name}: ${messageOf(error)}`),
        );
      }
  };

function matches({ enabled, pattern }: EventRuleSpec, event: EndEvent): boolean {
  return (
    enabled &&
    pattern.source.some((source) => source === event.source) &&
    pattern['detail-type'].includes(event['detail-type']) &&
    fits(event.detail, pattern.detail)
  );
}

/** One object of a list has to fit as a whole. */
function fits(value: unknown, pattern: EventDetailPattern): boolean {
  if (Array.isArray(value)) return value.some((one) => fits(one, pattern));
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(pattern).every(([field, wanted]) => {
    const inner = (value as Record<string, unknown>)[field];
    if (!Array.isArray(wanted)) return fits(inner, wanted);
    return (
      typeof inner === 'string' &&
      wanted.some((one) => (typeof one === 'string' ? one === inner : inner.startsWith(one.prefix)))
    );
  });
}
