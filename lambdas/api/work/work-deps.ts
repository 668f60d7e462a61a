import type { StageDeps } from '../../core/deps';
import type { ApiDeps } from '../request';

/** What claims need: a function of their own serves them. */
export type WorkDeps = StageDeps & Pick<ApiDeps, 'audit' | 'quotas' | 'secret'>;
