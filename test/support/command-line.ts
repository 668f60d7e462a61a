import { InvalidArgumentError } from 'commander';

/** Reads an option that counts something. */
export const count = (text: string): number => {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('must be a whole number from 1');
  return Number(text);
};

export const print = (line: string): boolean => process.stdout.write(`${line}\n`);
