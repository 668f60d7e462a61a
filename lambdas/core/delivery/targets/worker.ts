import type { WorkerTarget } from '../../domain/target';
import type { TargetType } from './target-type';

/** The schema has checked the name, and nothing is called. */
export const worker: TargetType<WorkerTarget> = { field: 'queue', check: () => ({ ok: true }) };
