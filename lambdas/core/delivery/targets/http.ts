import type { HttpTarget } from '../../domain/target';
import { urlWithoutSecrets } from '../../domain/target-secrets';
import { checkUrl } from '../address-policy';
import type { TargetType } from './target-type';

/**
 * Checks the URL alone. The addresses that its name has are checked when they are resolved:
 * `checked-lookup.ts`.
 */
export const http: TargetType<HttpTarget> = {
  field: 'url',
  check: (target, { targetPolicy, allowedTargetHosts }) =>
    checkUrl(urlWithoutSecrets(target), targetPolicy, allowedTargetHosts),
};
