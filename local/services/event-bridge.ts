import * as z from 'zod';

import { refusalMessage } from '../iam/access';
import type { EventBusSpec } from '../template/stack';
import { type AwsService, awsError } from './aws-call';
import type { Elsewhere } from './external-resources';

/** An event that was put on a bus of the stack. */
export interface SeenEvent {
  bus: string;
  source: string;
  detailType: string;
  time: string;
  detail: unknown;
}

export interface EventBridge extends AwsService {
  /** The newest first. */
  seen(): SeenEvent[];
}

const Entry = z.object({
  EventBusName: z.string().optional(),
  Source: z.string().optional(),
  DetailType: z.string().optional(),
  Detail: z.string().optional(),
  Resources: z.array(z.string()).optional(),
  /** Seconds. */
  Time: z.number().optional(),
});
type Entry = z.output<typeof Entry>;
const PutEvents = z.object({ Entries: z.array(Entry).default([]) });

const KEPT = 500;
const MAX_ENTRIES = 10;

export interface EventBridgeDeps {
  place: { region: string; accountId: string };
  clock: { nowMs(): number };
  newId(): string;
  elsewhere: Elsewhere;
}

/** EventBridge's `PutEvents`. Rules lead out of one machine: here the events are kept, to be looked at. */
export function eventBridge(
  buses: readonly EventBusSpec[],
  { place, clock, newId, elsewhere }: EventBridgeDeps,
): EventBridge {
  const events: SeenEvent[] = [];
  const find = (name: string) => buses.find((bus) => name === bus.name || name === bus.arn);
  const arnOf = ({ EventBusName = 'default' }: Entry): string =>
    EventBusName.startsWith('arn:')
      ? EventBusName
      : (find(EventBusName)?.arn ??
        `arn:aws:events:${place.region}:${place.accountId}:event-bus/${EventBusName}`);

  const put = (entry: Entry) => {
    const { Source, DetailType, Detail } = entry;
    if (!Source || !DetailType || !isJsonObject(Detail))
      return refused('MalformedDetail', 'Source, DetailType and a Detail that is a JSON object are needed.');
    const arn = arnOf(entry);
    const bus = find(arn);
    if (!bus) return { EventId: elsewhere.take(arn, entry) };
    events.unshift({
      bus: bus.name,
      source: Source,
      detailType: DetailType,
      time: new Date(entry.Time === undefined ? clock.nowMs() : entry.Time * 1_000).toISOString(),
      detail: JSON.parse(Detail) as unknown,
    });
    events.length = Math.min(events.length, KEPT);
    return { EventId: newId() };
  };

  return {
    targetPrefix: 'AWSEvents.',
    seen: () => events,
    async call({ action, body }) {
      if (action !== 'PutEvents')
        return awsError(400, 'UnknownOperationException', `The local run does not know AWSEvents.${action}`);
      const entries = entriesOf(body);
      if (!entries) return awsError(400, 'SerializationException', 'The body is not JSON that has entries');
      if (entries.length < 1 || entries.length > MAX_ENTRIES)
        return awsError(400, 'ValidationException', `Entries has ${entries.length} items; expected 1 to 10`);
      const answers = entries.map(put);
      const FailedEntryCount = answers.filter((answer) => 'ErrorCode' in answer).length;
      return {
        status: 200,
        headers: { 'content-type': 'application/x-amz-json-1.1' },
        body: JSON.stringify({ FailedEntryCount, Entries: answers }),
      };
    },
    permissions({ action, body }) {
      const named = entriesOf(body)?.map(arnOf);
      // What has no entries is at fault, and is told so if it may put anything at all.
      const asked = new Set(named?.length ? named : buses.map(({ arn }) => arn));
      return [...asked].map((resource) => ({ action: `events:${action}`, resource }));
    },
    denied: (refusal) => awsError(400, 'AccessDeniedException', refusalMessage(refusal)),
    async stop() {},
  };
}

/** What a request asks to put: nothing where it has no body. Undefined where it cannot be read. */
function entriesOf(body: string): Entry[] | undefined {
  try {
    return PutEvents.parse(JSON.parse(body || '{}')).Entries;
  } catch {
    return undefined;
  }
}

const refused = (ErrorCode: string, ErrorMessage: string) => ({ ErrorCode, ErrorMessage });

function isJsonObject(text: string | undefined): text is string {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
