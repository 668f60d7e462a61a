import {
  type AccountLimit,
  GetFunctionConcurrencyCommand,
  type LambdaClient,
  paginateListFunctions,
} from '@aws-sdk/client-lambda';

/** What of the concurrency of an account and region a stack may use. */
export interface Room {
  /** The quota of the account and region. */
  quota: number;
  /** Reserved by functions of other stacks: this one can neither reserve nor use it. */
  elsewhere: number;
  /** What is left for this stack. */
  room: number;
}

/** `ownReserved`: what the functions of this stack reserve so far. */
export function roomOf(limit: AccountLimit | undefined, ownReserved: number): Room {
  const quota = limit?.ConcurrentExecutions ?? 0;
  const unreserved = limit?.UnreservedConcurrentExecutions ?? quota;
  const elsewhere = Math.max(0, quota - unreserved - ownReserved);
  return { quota, elsewhere, room: quota - elsewhere };
}

/** What the functions of a deployed stack reserve; 0 before its first deployment. */
export async function reservedBy(client: LambdaClient, stackName: string): Promise<number> {
  let sum = 0;
  for await (const { Functions = [] } of paginateListFunctions({ client }, {}))
    for (const { FunctionName = '' } of Functions) {
      if (!FunctionName.startsWith(`${stackName}-`)) continue;
      const { ReservedConcurrentExecutions = 0 } = await client.send(
        new GetFunctionConcurrencyCommand({ FunctionName }),
      );
      sum += ReservedConcurrentExecutions;
    }
  return sum;
}

/** Memory that functions of a new account may have; AWS raises it by use. */
const NEW_ACCOUNT_MB = 3_008;

/** A warning, if a function has more memory than a new account gives. */
export const memoryWarning = (largestMb: number): string | undefined =>
  largestMb > NEW_ACCOUNT_MB
    ? `a function has ${largestMb} MB; a new account gives ${NEW_ACCOUNT_MB} MB until AWS raises that`
    : undefined;
