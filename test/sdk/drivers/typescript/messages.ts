/** A command. Its fields depend on `do`. */
export interface Command {
  do: string;
  [field: string]: any;
}

/** Writes an answer or an event. */
export const write = (message: object): void => void process.stdout.write(`${JSON.stringify(message)}\n`);
