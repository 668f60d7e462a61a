import type { IConstruct } from 'constructs';

import { didYouMean } from '../lambdas/core/contracts/suggestion';

/**
 * Throws an Error for a word that is none of those allowed, which says what was probably meant. `name` is the
 * property or the parameter that has it.
 */
export function checkWord(scope: IConstruct, name: string, given: unknown, allowed: readonly string[]): void {
  if (typeof given === 'string' && allowed.includes(given)) return;
  const suggestion = typeof given === 'string' ? didYouMean(given, allowed) : '';
  throw new Error(
    `${scope.node.path}: ${name} is ${JSON.stringify(given)}; expected one of ${allowed.join(', ')}${suggestion}`,
  );
}
