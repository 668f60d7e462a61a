import { LocalRunError } from '../run/errors';
import type { FunctionSpec } from './stack';

export type FunctionFinder = (reference: string, where: string) => string;

/**
 * Finds a function by its name, its ARN, or the ARN that API Gateway integrations use. Returns its ARN. The
 * finder throws a `LocalRunError` that begins with `where`.
 */
export function functionFinder(functions: FunctionSpec[]): FunctionFinder {
  return (reference, where) => {
    const inner = /:lambda:path\/[^/]+\/functions\/(.+)\/invocations$/.exec(reference)?.[1] ?? reference;
    const found = functions.find(({ name, arn }) => inner === name || inner === arn);
    if (!found)
      throw new LocalRunError(`${where}: it names ${reference}, which is not a function of the stack`);
    return found.arn;
  };
}
