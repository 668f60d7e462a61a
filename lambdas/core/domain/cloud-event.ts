import { instantText } from '../clock/clock';

/** Media type of an event of CloudEvents 1.0 in structured mode. */
export const CLOUD_EVENT_TYPE = 'application/cloudevents+json; charset=utf-8';

/** What the attributes of an event derive from. */
export interface EventContext {
  /** The `webhook-id` of its delivery. */
  id: string;
  project: string;
  type: 'delivery' | 'end' | 'notification';
  atMs: number;
}

/** The job and the execution that an event is about. Absent: it is about the project, or about the job. */
export interface EventSubject {
  job?: { jobId: string };
  execution?: { execId: string };
}

/** The attributes of CloudEvents 1.0, which both modes share. */
export const eventAttributes = (
  { id, project, type, atMs }: EventContext,
  { job, execution }: EventSubject,
) => ({
  specversion: '1.0',
  id,
  source: `/projects/${encodeURIComponent(project)}` + (job ? `/jobs/${encodeURIComponent(job.jobId)}` : ''),
  type: `quarterjack.${type}.v1`,
  time: instantText(atMs),
  ...(execution && { subject: execution.execId }),
});

/** An event in structured mode: the whole body. */
export const structuredEvent = (context: EventContext, subject: EventSubject, data: unknown) => ({
  ...eventAttributes(context, subject),
  datacontenttype: 'application/json',
  data,
});

/** What a header may not have of an attribute: space, `"`, `%`, and all but printable ASCII. */
const NOT_IN_HEADER = /[^\u0021\u0023\u0024\u0026-\u007e]/gu;

const inHeader = (text: string): string => text.replaceAll(NOT_IN_HEADER, (one) => percentEncoded(one));

const percentEncoded = (character: string): string =>
  [...new TextEncoder().encode(character)]
    .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
    .join('');

/** The headers of an event in binary mode. The body is its data, and `content-type` is that of the data. */
export const eventHeaders = (context: EventContext, subject: EventSubject): Record<string, string> =>
  Object.fromEntries(
    Object.entries(eventAttributes(context, subject)).map(([name, value]) => [`ce-${name}`, inHeader(value)]),
  );
