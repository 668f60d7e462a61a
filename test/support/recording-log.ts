import type { Log, LogFields } from '../../lambdas/core/telemetry/telemetry';

export interface LogLine {
  level: 'info' | 'warn' | 'error';
  message: string;
  cause?: unknown;
  fields?: LogFields;
}

/** A log that a test can read back. */
export class RecordingLog implements Log {
  readonly lines: LogLine[] = [];

  info(message: string, fields?: LogFields): void {
    this.lines.push({ level: 'info', message, fields });
  }

  warn(message: string, fields?: LogFields): void {
    this.lines.push({ level: 'warn', message, fields });
  }

  error(message: string, cause: unknown, fields?: LogFields): void {
    this.lines.push({ level: 'error', message, cause, fields });
  }

  /** Messages of one level, in order. */
  messages(level: LogLine['level']): string[] {
    return this.lines.filter((line) => line.level === level).map((line) => line.message);
  }
}
