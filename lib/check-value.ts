import { Token } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

import { isProjectName, PROJECT_EXPECTED } from '../lambdas/core/contracts/projects';
import { didYouMean } from '../lambdas/core/contracts/suggestion';

/**
 * Throws an Error for a word that is none of those allowed, which says what was probably meant. `name` is the
 * property or the parameter that has it.
 */
export function checkWord(scope: IConstruct, name: string, given: unknown, allowed: readonly string[]): void {
  if (typeof given === 'string' && allowed.includes(given)) return;
  const suggestion = typeof given === 'string' ? didYouMean(given, allowed) : '';
  throw new Error(
    `${scope.node.path}: ${name} is ${JSON.stringify(given)}; ` +
      `expected one of ${allowed.join(', ')}${suggestion}`,
  );
}

/** Throws an Error for a text that is no project of users: no token and no key opens one. */
export function checkProject(scope: IConstruct, given: unknown): void {
  if (Token.isUnresolved(given) || (typeof given === 'string' && isProjectName(given))) return;
  throw new Error(`${scope.node.path}: project is ${JSON.stringify(given)}; expected ${PROJECT_EXPECTED}`);
}

/** A jobId, as the API takes it. */
export const JOB_ID_FORM = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
