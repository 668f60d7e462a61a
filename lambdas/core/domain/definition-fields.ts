import type { JobDefinition } from './job';

const FIELDS = {
  name: true,
  schedule: true,
  target: true,
  targets: true,
  workflow: true,
  payload: true,
  payloadSchema: true,
  templates: true,
  priority: true,
  pool: true,
  retry: true,
  misfire: true,
  overlap: true,
  orderingKey: true,
  concurrencyKey: true,
  onFailure: true,
  timeout: true,
  tags: true,
  runTags: true,
  externalId: true,
  pauseAfter: true,
  expectEvery: true,
  expectDuration: true,
  onEnd: true,
} satisfies Record<keyof JobDefinition, true>;

/**
 * The fields that PUT takes, and a merge patch merges into: those of the schema, in its order. Kept states
 * have their fields in this order too.
 */
export const DEFINITION_FIELDS = Object.keys(FIELDS) as readonly (keyof JobDefinition)[];
