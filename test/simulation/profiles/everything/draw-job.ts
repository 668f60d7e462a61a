import type * as z from 'zod/mini';

import type { JobBody } from '../../../../lambdas/core/http/job';
import type { FakeRandom } from '../../../support/fake-random';
import { type Body, drawFields, type FieldDraws, given, maybe } from './drawn';
import { drawRetry } from './draw-retry';
import { drawSchedule } from './draw-schedule';
import { drawCalledTarget, drawTargetsOfJob, OTHER_POOL } from './draw-target';
import { apartFrom, DERIVED_KEY, TENANTS } from './draw-tenant';
import { drawWorkflow, type Family } from './draw-workflow';

export const ORDERING_KEYS = ['key-1', 'key-2'];
export const CONCURRENCY_KEYS = ['limit-1', 'limit-2'];
export const TAG = { team: 'billing' };

/** A field that events may have, and that no job with a schema takes. */
export const MISFIT = 'misfit';
/** Fits the payloads of jobs, the parameters of runs, and the data of most events. */
export const PAYLOAD_SCHEMA = {
  type: 'object',
  properties: { [MISFIT]: false },
  anyOf: [{ required: ['stamp'] }, { required: ['count'] }, { maxProperties: 0 }],
};

/** What is known when a definition is drawn. */
export interface Drawing extends Family {
  nowMs: number;
  /** Names the definition in the calls of its targets. */
  stamp: string;
  /** Jobs that may come before it. */
  upstream: readonly string[];
}

/** A target of the job, several, or a workflow. */
const drawWhat = (random: FakeRandom, drawing: Drawing): Body =>
  random.fraction() < 0.5 ? { workflow: drawWorkflow(random, drawing) } : drawTargetsOfJob(random);

/** Its texts are templates only if the definition says so. */
function drawPayload(random: FakeRandom, drawing: Drawing): unknown {
  const { userId, jobId, stamp } = drawing;
  const apart = apartFrom('tenant', drawing);
  const tenant = maybe(apart, 0.85, () => apart.pick(TENANTS));
  return maybe(random, 0.75, () => given({ userId, jobId, stamp, day: '{{ run.day }}', tenant }));
}

/** A key of the project, or one that each payload completes. Few workflows and replacing jobs have one. */
function drawSlotKey(random: FakeRandom, drawing: Drawing): string | undefined {
  const key = maybe(random, 0.4, () => random.pick(CONCURRENCY_KEYS));
  return apartFrom('slot', drawing).fraction() < 0.35 ? DERIVED_KEY : key;
}

type Field = keyof z.input<typeof JobBody>;

/**
 * A definition: each field is drawn by itself. A new field of a job does not compile before it has a line
 * here. `fitting` then removes what the API would refuse.
 */
export function drawJob(random: FakeRandom, drawing: Drawing): Body {
  const { target, targets, workflow } = drawWhat(random, drawing);
  const called = (targets ?? [target]) as readonly (Body | undefined)[];
  // So that no other draw changes.
  const apart = apartFrom('labels', drawing);
  const hasHttp = called.some((one) => one?.type === 'http');
  return fitting(
    drawFields({
      jobId: () => drawing.jobId,
      name: () => maybe(random, 0.2, () => `Job ${drawing.jobId}`),
      schedule: () => drawSchedule(random, drawing),
      target: () => target,
      targets: () => targets,
      workflow: () => workflow,
      payload: () => drawPayload(random, drawing),
      templates: () => maybe(random, 0.3, () => true),
      priority: () => maybe(random, 0.5, () => random.pick(['highest', 'high', 'low', 'lowest'])),
      pool: () => maybe(random, 0.25, () => OTHER_POOL),
      retry: () => maybe(random, 0.7, () => drawRetry(random, hasHttp || workflow !== undefined)),
      misfire: () =>
        maybe(random, 0.7, () =>
          given({
            policy: maybe(random, 0.8, () => random.pick(['fire-now', 'fire-once', 'fire-all', 'skip'])),
            grace: maybe(random, 0.4, () => '90s'),
            catchUpWindow: maybe(random, 0.4, () => random.pick(['2m', '30m'])),
          }),
        ),
      overlap: () => maybe(random, 0.6, () => random.pick(['skip', 'queue', 'replace'])),
      orderingKey: () => maybe(random, 0.45, () => random.pick(ORDERING_KEYS)),
      concurrencyKey: () => drawSlotKey(random, drawing),
      onFailure: () => maybe(random, 0.4, () => 'block'),
      timeout: () => maybe(random, 0.5, () => random.pick(workflow ? ['1m', '3m'] : ['30s', '2m'])),
      tags: () => maybe(random, 0.4, () => TAG),
      runTags: () =>
        maybe(apart, 0.4, () => ['day:{{ run.day }}', ...(workflow ? [] : ['stamp:{{ payload.stamp }}'])]),
      externalId: () => maybe(apart, 0.3, () => '{{ run.jobId }}-{{ run.id }}'),
      pauseAfter: () => maybe(random, 0.25, () => ({ failures: random.between(1, 3) })),
      expectEvery: () => maybe(random, 0.25, () => random.pick(['5m', '25h'])),
      onEnd: () =>
        maybe(random, 0.3, () => {
          const ends = random.pick([['succeeded'], ['failed'], ['succeeded', 'failed']]);
          return Object.fromEntries(ends.map((end) => [end, drawCalledTarget(random)]));
        }),
      payloadSchema: () => maybe(random, 0.4, () => PAYLOAD_SCHEMA),
      expectDuration: () => maybe(apart, 0.4, () => drawDurations(apart)),
    } satisfies FieldDraws<Field>),
  );
}

/** Bounds that some successes of any job are out of. */
export const drawDurations = (random: FakeRandom): Body =>
  random.pick([{ max: '1s' }, { max: '15s' }, { min: '1s' }, { min: '2s', max: '10s' }]);

/** Without what the API refuses beside other fields. `IMPOSSIBLE` names these pairs. */
function fitting(body: Body): Body {
  const { payload, templates, onFailure, concurrencyKey, ...fits } = body;
  const isDerived = concurrencyKey === DERIVED_KEY;
  if (!isDerived || (body.workflow === undefined && body.overlap !== 'replace'))
    fits.concurrencyKey = concurrencyKey;
  if (body.orderingKey !== undefined && onFailure !== undefined) fits.onFailure = onFailure;
  if (body.workflow !== undefined) return given(fits);
  return given({ ...fits, payload, templates });
}
