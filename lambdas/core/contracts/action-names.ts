import { ACTION } from './allowed-actions';
import names from './action-names.json';

// What `actions/` has, in short. `npm run aws:actions` writes the names with it.

/** The operations of a service, and which actions of IAM they need. */
export interface OperationNames {
  /** What the actions of IAM begin with. */
  iam: string;
  /** Their names, with a space between two. */
  operations: string;
  /** Those of IAM, where they are not named as the operation is. */
  needs?: Readonly<Record<string, readonly string[]>>;
}

const BY_SERVICE: Readonly<Record<string, OperationNames>> = names;

/** Every service whose operations are known. */
export const knownServices = (): string[] => Object.keys(BY_SERVICE);

/** The operations of a service that targets may have; undefined: it is not known. */
export const operationsOf = (service: string): string[] | undefined =>
  Object.hasOwn(BY_SERVICE, service) ? BY_SERVICE[service]!.operations.split(' ') : undefined;

/** The actions of IAM that a call of `kinesis:PutRecord` needs; undefined: there is no such action. */
export function needsOfAction(action: string): readonly string[] | undefined {
  const [, service = '', operation = ''] = ACTION.exec(action) ?? [];
  if (!operationsOf(service)?.includes(operation)) return undefined;
  const { iam, needs = {} } = BY_SERVICE[service]!;
  return needs[operation] ?? [`${iam}:${operation}`];
}
