const MAX_QUOTED = 60;

/** A template cannot be parsed or rendered. The message names the expression. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
}

/** A value inside a message: as JSON, and cut after 60 characters. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text;
}

/** Runs `work`. A `TemplateError` that it throws gets the expression in front of its message. */
export function within<T>(expression: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    throw new TemplateError(`{{ ${expression} }}: ${error.message}`);
  }
}
