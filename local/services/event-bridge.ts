import * as z from 'zod';

import { denialMessage } from '../iam/access';
import type { EventBusSpec } from '../template/stack';
import { type AwsService, awsError, awsJson } from './aws-call';
import type { ExternalResources } from './external-resources';

/** An event that was put on a bus of the stack. */
interface ReceivedEvent {
  bus: string;
  source: string;
  detailType: string;
  /** ISO 8601. */
  time: string;
  detail: unknown;
}

export interface EventBridge extends AwsService {
  /** The latest events, newest first. */
  received(): ReceivedEvent[];
}

const Entry = z.object({
  EventBusName: z.string().optional(),
  Source: z.string().optional(),
  DetailType: z.string().optional(),
  Detail: z.string().optional(),
  Resources: z.array(z.string()).optional(),
  /** Unix time in seconds. */
  Time: z.number().optional(),
});
type Entry = z.output<typeof Entry>;
const PutEvents = z.object({ Entries: z.array(Entry).default([]) });

const MAX_KEPT = 500;
const MAX_ENTRIES = 10;

interface EventBridgeDeps {
  aws: { region: string; accountId: string };
  clock: { nowMs(): number };
  newId(): string;
  external: ExternalResources;
}

/** EventBridge's `PutEvents`. Rules are not emulated: the latest events are kept for `/_local/events`. */
export function eventBridge(
  buses: readonly EventBusSpec[],
  { aws, clock, newId, external }: EventBridgeDeps,
): EventBridge {
  const events: ReceivedEvent[] = [];
  const find = (name: string) => buses.find((bus) => name === bus.name || name === bus.arn);
  const arnOf = ({ EventBusName = 'default' }: Entry): string =>
    EventBusName.startsWith('arn:')
      ? EventBusName
      : (find(EventBusName)?.arn ??
        `arn:aws:events:${aws.region}:${aws.accountId}:event-bus/${EventBusName}`);

  const put = (entry: Entry) => {
    const { Source, DetailType, Detail } = entry;
    if (!Source || !DetailType || !isJsonObject(Detail))
      return failed('MalformedDetail', 'Source, DetailType and a JSON object as Detail are required.');
    const arn = arnOf(entry);
    const bus = find(arn);
    if (!bus) return { EventId: external.record(arn, entry) };
    events.unshift({
      bus: bus.name,
      source: Source,
      detailType: DetailType,
      time: new Date(entry.Time === undefined ? clock.nowMs() : entry.Time * 1_000).toISOString(),
      detail: JSON.parse(Detail) as unknown,
    });
    events.length = Math.min(events.length, MAX_KEPT);
    return { EventId: newId() };
  };

  return {
    targetPrefix: 'AWSEvents.',
    received: () => events,
    async call({ action, body }) {
      if (action !== 'PutEvents')
        return awsError(
          400,
          'UnknownOperationException',
          `The local run does not support AWSEvents.${action}`,
        );
      const entries = entriesOf(body);
      if (!entries) return awsError(400, 'SerializationException', 'The body is not JSON with Entries');
      if (entries.length < 1 || entries.length > MAX_ENTRIES)
        return awsError(400, 'ValidationException', `Entries has ${entries.length} items; expected 1 to 10`);
      const results = entries.map(put);
      const FailedEntryCount = results.filter((result) => 'ErrorCode' in result).length;
      return awsJson({ FailedEntryCount, Entries: results }, '1.1');
    },
    permissions({ action, body }) {
      const named = entriesOf(body)?.map(arnOf);
      // A request without entries is invalid. A caller that may put events on any bus gets that error, not a
      // denial.
      const resources = new Set(named?.length ? named : buses.map(({ arn }) => arn));
      return [...resources].map((resource) => ({ action: `events:${action}`, resource }));
    },
    denied: (denial) => awsError(400, 'AccessDeniedException', denialMessage(denial)),
    async stop() {},
  };
}

/** The entries of a request: none for an empty body, undefined for a malformed one. */
function entriesOf(body: string): Entry[] | undefined {
  try {
    return PutEvents.parse(JSON.parse(body || '{}')).Entries;
  } catch {
    return undefined;
  }
}

const failed = (ErrorCode: string, ErrorMessage: string) => ({ ErrorCode, ErrorMessage });

function isJsonObject(text: string | undefined): text is string {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
