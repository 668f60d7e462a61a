import type { HttpTarget } from '../../domain/target';
import { checkUrl } from '../address-policy';
import type { TargetType } from './target-type';

/**
 * Checks the URL alone. The addresses that its name has are checked when they are resolved:
 * `checked-lookup.ts`.
 */
export const http: TargetType<HttpTarget> = {
  field: 'url',
  check: ({ url }, { targetPolicy, allowedTargetHosts }) => checkUrl(url, targetPolicy, allowedTargetHosts),
};
