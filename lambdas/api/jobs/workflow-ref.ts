import { createHash } from 'node:crypto';

import { targetsOf } from '../../core/domain/job';
import { secretNamesOf } from '../../core/domain/target-secrets';
import { queuesOf } from '../../core/domain/work';
import type { Workflow, WorkflowRef } from '../../core/domain/workflow/definition';
import { canonicalJson } from '../http/json';

const VERSION_CHARACTERS = 22;

/**
 * A workflow as a definition names it: by its content. Equal workflows have equal versions, whatever the
 * order of their keys. `number` and `savedBy` are those of the job that gets it.
 */
export function workflowRefOf(content: Workflow): WorkflowRef {
  const text = canonicalJson(content);
  const tasks = Object.values(content.tasks);
  const secrets = secretNamesOf(tasks.flatMap(targetsOf));
  const jobs = [...new Set(tasks.flatMap(({ job }) => job ?? []))].sort();
  const awaits = [...new Set(tasks.flatMap((task) => task.await?.job ?? []))].sort();
  const queues = queuesOf(tasks.flatMap(targetsOf));
  return {
    version: createHash('sha256').update(text).digest('base64url').slice(0, VERSION_CHARACTERS),
    number: 0,
    tasks: tasks.length,
    bytes: Buffer.byteLength(text),
    savedBy: '',
    ...(secrets.length > 0 && { secrets }),
    ...(jobs.length > 0 && { jobs }),
    ...(awaits.length > 0 && { awaits }),
    ...(queues.length > 0 && { queues }),
    content,
  };
}
