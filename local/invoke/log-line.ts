/** Fields of the logger that are shown in another form, or say the same in each line. */
const HIDDEN = /^(level|message|timestamp|service|cold_start|sampling_rate|xray_trace_id|function_.*)$/;
const MAX_VALUE = 300;
/**
 * Characters that a terminal obeys, or that hide what is there: controls, line separators, marks that change
 * the direction of text, and characters without width. Targets choose what the log says of them.
 */
const HIDDEN_CHARACTERS = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff]/gu;

type Fields = Record<string, unknown>;

/**
 * A line of a function for the terminal. A structured log line becomes one that a person can read; the log
 * file keeps the whole. Any other line gets the name of its function.
 *
 *     08:30:50 WARN executor: execution failed: connect ECONNREFUSED 127.0.0.1:9 (jobKey alice/x, …)
 */
export const readableLine = (functionLogicalId: string, line: string): string =>
  withFunction(functionLogicalId, line).replaceAll(HIDDEN_CHARACTERS, ' ');

function withFunction(functionLogicalId: string, line: string): string {
  const entry = structured(line);
  if (!entry) return `[${functionLogicalId}] ${line}`;
  const { level, message, timestamp, service, error } = entry;
  const time = /T(\d\d:\d\d:\d\d)/.exec(String(timestamp))?.[1];
  const from = typeof service === 'string' ? service : functionLogicalId;
  const text = [message, error === undefined ? undefined : errorText(error)].filter(Boolean).join(': ');
  const details = Object.entries(entry)
    .filter(([name, value]) => !HIDDEN.test(name) && name !== 'error' && value !== undefined)
    .map(([name, value]) => `${name} ${valueText(value)}`);
  const head = [time, String(level), `${from}:`, text].filter(Boolean).join(' ');
  return details.length > 0 ? `${head} (${details.join(', ')})` : head;
}

function structured(line: string): Fields | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const value = JSON.parse(line) as Fields;
    return typeof value.level === 'string' && typeof value.message === 'string' ? value : undefined;
  } catch {
    return undefined; // a line that only looks like JSON is shown as it is
  }
}

/** The logger writes an error as an object with its name, message and stack. */
function errorText(error: unknown): string {
  if (typeof error !== 'object' || error === null) return valueText(error);
  const { name, message } = error as Fields;
  return typeof message === 'string' ? [name, message].filter(Boolean).join(': ') : valueText(error);
}

function valueText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text;
}
