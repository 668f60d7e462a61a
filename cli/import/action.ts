import { operationsOf } from '../../lambdas/core/contracts/action-names';
import { isObject } from '../is-object';
import { Unmapped } from './json';

/** An entry of `allowedActions`, as far as what is imported tells it. */
export interface AllowedEntry {
  action: string;
  /** ARNs in the input. None: the operator has to say them. */
  resources: string[];
  passRoles?: string[];
}

/** The action of a target, from a call that AWS writes as `kinesis:putRecord`. Throws `Unmapped`. */
export function actionNamed(call: string): string {
  const [service = '', operation = ''] = call.toLowerCase().split(':');
  const name = operationsOf(service)?.find((one) => one.toLowerCase() === operation);
  if (name !== undefined) return `${service}:${name}`;
  const why = operationsOf(service)
    ? 'no target may call it: it only reads, gives rights, or changes code'
    : 'no target may call that service';
  throw new Unmapped(`its target calls ${call}, and ${why}`);
}

const ROLE = /^arn:[a-z-]+:iam::\d{12}:role\//;

/** What the deployment has to allow, as far as the input tells: ARNs in it, and roles apart. */
export function allowedEntry(action: string, input: unknown): AllowedEntry {
  const arns = [...new Set(textsOf(input).filter((text) => /^arn:\S+$/.test(text)))];
  const passRoles = arns.filter((arn) => ROLE.test(arn));
  return {
    action,
    resources: arns.filter((arn) => !ROLE.test(arn)),
    ...(passRoles.length > 0 && { passRoles }),
  };
}

export const textsOf = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return isObject(value) || Array.isArray(value) ? Object.values(value).flatMap(textsOf) : [];
};
