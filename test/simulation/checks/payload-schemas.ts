import { parseCompactInstant } from '../../../lambdas/core/contracts/tables';
import type { Execution } from '../../../lambdas/core/domain/execution';
import { evaluate } from '../../../lambdas/core/json-schema/evaluate';
import { type Story, versionsIn } from '../story';
import { broken, type Violation } from '../violation';

/**
 * A run of an event whose data do not fit the schema of its job has failed before any call, and says so. No
 * other run has failed for that.
 */
export function checkPayloadSchemas(story: Story): Violation[] {
  return [...story.states.values()].flatMap(([first]) => {
    const { execution, t } = first!;
    if (execution.cause?.type !== 'event' || execution.status === 'skipped') return [];
    const createdMs = parseCompactInstant(execution.execId);
    const versions = versionsIn(story, execution.jobKey, createdMs - story.conditions.skewMs, t);
    const fits = versions.map(({ job }) => !job || job.workflow !== undefined || isFit(job, execution));
    const hasFailed = execution.status === 'failed' && execution.reason === 'bad-payload';
    if (versions.length === 0 || fits.includes(!hasFailed)) return [];
    const what = hasFailed ? 'has failed, and fits the schema' : 'was started, and does not fit the schema';
    return [broken('payload-schema', `${execution.jobKey} ${execution.execId} ${what} of its job`)];
  });
}

const isFit = (
  { payload, payloadSchema }: { payload?: unknown; payloadSchema?: Readonly<Record<string, unknown>> },
  execution: Execution,
): boolean =>
  payloadSchema === undefined ||
  evaluate(payloadSchema, execution.payload ? execution.payload.value : (payload ?? {})).is === 'fits';
