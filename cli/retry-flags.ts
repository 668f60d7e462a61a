import { type Command, Option } from 'commander';

import { CliError } from './exit-codes';
import { numberOf } from './flag-values';

/** The flags that set fields of a retry policy. */
export interface RetryFlags {
  retryAttempts?: number;
  retryDelay?: string;
  retryMaxDelay?: string;
  retryMultiplier?: number;
  retryJitter?: string;
  retryOn?: (number | string)[];
}

export const addRetryFlags = (command: Command): Command =>
  command
    .option('--retry-attempts <n>', 'attempts in total, including the first', (text) =>
      numberOf('--retry-attempts', text),
    )
    .option('--retry-delay <duration>', 'the longest delay after the first failure, such as 30s')
    .option('--retry-max-delay <duration>', 'the longest delay after any failure, such as 1h')
    .option('--retry-multiplier <factor>', 'growth of that delay with each failure; 1: none', factorOf)
    .addOption(
      new Option('--retry-jitter <jitter>', 'random delays up to the longest, or always the longest').choices(
        ['full', 'none'],
      ),
    )
    .option(
      '--retry-on <statuses>',
      'HTTP statuses that are retried, such as 409,429,5xx, or none',
      statusesOf,
    );

/** The retry policy that the flags set, in the form of the API; undefined without such a flag. */
export function retryFromFlags(flags: RetryFlags): Record<string, unknown> | undefined {
  const given = Object.entries({
    maxAttempts: flags.retryAttempts,
    initialDelay: flags.retryDelay,
    maxDelay: flags.retryMaxDelay,
    multiplier: flags.retryMultiplier,
    jitter: flags.retryJitter,
    on: flags.retryOn,
  }).filter(([, value]) => value !== undefined);
  return given.length === 0 ? undefined : Object.fromEntries(given);
}

function factorOf(text: string): number {
  if (/^\d{1,7}(\.\d{1,7})?$/.test(text)) return Number(text);
  throw new CliError(`--retry-multiplier is ${JSON.stringify(text)}; expected a number such as 1 or 1.5`);
}

function statusesOf(text: string): (number | string)[] {
  if (text === 'none') return [];
  return text.split(',').map((part) => {
    const status = part.trim().toLowerCase();
    if (/^\d{3}$/.test(status)) return Number(status);
    if (/^[345]xx$/.test(status)) return status;
    throw new CliError(
      `--retry-on is ${JSON.stringify(text)}; expected statuses from 300 to 599, 3xx, 4xx or 5xx, ` +
        'joined by commas, or none',
    );
  });
}
