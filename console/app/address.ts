/** Parameters of every address of the console: a link to another page keeps them. */
const CARRIED = ['tz', 'project'];

/** A path of the console, with the parameters that `search` has and every address keeps. */
export function carried(path: string, search: string): string {
  const [bare = '', own = ''] = path.split('?');
  const query = new URLSearchParams(own);
  const present = new URLSearchParams(search);
  for (const name of CARRIED) {
    const value = present.get(name);
    if (value !== null && !query.has(name)) query.set(name, value);
  }
  const text = query.toString();
  return text ? `${bare}?${text}` : bare;
}

/** The query with these values; an empty one is left out. A list becomes one parameter for each item. */
export function withValues(
  search: string,
  values: Readonly<Record<string, string | readonly string[] | undefined>>,
): URLSearchParams {
  const query = new URLSearchParams(search);
  for (const [name, value] of Object.entries(values)) {
    query.delete(name);
    for (const one of typeof value === 'string' ? [value] : (value ?? [])) if (one) query.append(name, one);
  }
  return query;
}

const part = encodeURIComponent;
/** Addresses of things, below `/console`. */
export const paths = {
  job: (jobId: string, tab = '') => `/jobs/${part(jobId)}${tab && `/${tab}`}`,
  execution: (jobId: string, execId: string) => `/jobs/${part(jobId)}/executions/${part(execId)}`,
  /** The form of a backfill: of these due times, both included. */
  backfill: (jobId: string, { from, to }: { from: string; to: string }) =>
    `/jobs/${part(jobId)}/backfills?from=${part(from)}&to=${part(to)}`,
  why: (jobId: string, at: string) => `/jobs/${part(jobId)}/why?at=${part(at)}`,
  /** A cause of failures, by its fingerprint. */
  cause: (fingerprint: string) => `/failures/cause?cause=${part(fingerprint)}`,
  key: (key: string) => `/ordering-keys?key=${part(key)}`,
  queue: (queue: string) => `/queues?queue=${part(queue)}`,
  workflow: (jobId: string) => `/workflows/${part(jobId)}`,
  calendar: (calendarId: string) => `/calendars/${part(calendarId)}`,
};
