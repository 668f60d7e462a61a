const MAX_QUOTED = 60;

/** What the user wrote cannot be a schedule. */
export class ScheduleError extends Error {
  override readonly name = 'ScheduleError';
  constructor(
    /** Dotted, below `schedule`: `expression`, `exclude.0`; `''` where the schedule is a string. */
    readonly path: string,
    /** Names the value and what is allowed instead. */
    message: string,
  ) {
    super(message);
  }
}

/** The text of one setting cannot be read. Whoever knows where it stands makes a `ScheduleError` of it: `readAt`. */
export class Unreadable extends Error {
  override readonly name: string = 'Unreadable';
}

/** Runs `read`, and gives what it cannot read its place. */
export function readAt<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof Unreadable ? new ScheduleError(path, error.message) : error;
  }
}

/** A user's value inside a message: escaped, and cut where it is long. */
export const quoted = (value: unknown): string => {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text;
};
