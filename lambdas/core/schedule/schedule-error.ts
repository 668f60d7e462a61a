const MAX_QUOTED = 60;

/** The user's text is not a valid schedule. */
export class ScheduleError extends Error {
  override readonly name = 'ScheduleError';
  constructor(
    /** Dotted, below `schedule`: `expression`, `exclude.0`. Empty if the schedule is a string. */
    readonly path: string,
    /** Names the value and what is allowed instead. */
    message: string,
  ) {
    super(message);
  }
}

/**
 * The text of one setting is invalid. `readAt` makes a `ScheduleError` of it, with the path of the setting.
 */
export class ParseError extends Error {
  override readonly name: string = 'ParseError';
}

/** Runs `read`. Throws `ScheduleError` at `path` instead of `ParseError`. */
export function readAt<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof ParseError ? new ScheduleError(path, error.message) : error;
  }
}

/** A user's value inside a message: escaped, and cut after 60 characters. */
export const quoted = (value: unknown): string => {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text;
};
