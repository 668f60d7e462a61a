import { DeleteCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';

import type { OrderedMessage } from '../../../contracts/messages';
import {
  CONTROL_SORT,
  jobRefOf,
  lineKeyOf,
  type LineRef,
  placeSortOf,
  SCHEDULE_KEY,
  TTL_ATTRIBUTE,
} from '../../../contracts/tables';
import type { Holder, Line, LineStore, Place, PlaceRef } from '../../ordering-store';
import type { Row, TableAccess } from '../access';
import { conditionalUpdate } from '../conditional-write';
import { allOf, anyOf, namesIn } from '../expressions';
import { readControlRow } from '../deployment/control-row';
import { putRows } from '../entries/put-rows';

const ofLine = '#bucket = :line';
const nobodyHolds = 'attribute_not_exists(#execId)';
const holdsItself = '#execId = :execId AND #jobKey = :jobKey';
const heldAsSeen = '#takeId = :seenTakeId';
const stands = 'attribute_exists(#entry)';
const notNudged = 'attribute_not_exists(#nudgedAtMs) OR #nudgedAtMs < :before';

const lineKeyOfPlace = ({ jobKey, orderingKey }: PlaceRef): string =>
  lineKeyOf({ userId: jobRefOf(jobKey).userId, orderingKey });

const holderKey = (place: PlaceRef): Row => ({
  [SCHEDULE_KEY.partition]: lineKeyOfPlace(place),
  [SCHEDULE_KEY.sort]: CONTROL_SORT,
});

const placeKey = (place: PlaceRef): Row => ({
  [SCHEDULE_KEY.partition]: lineKeyOfPlace(place),
  [SCHEDULE_KEY.sort]: placeSortOf(place),
});

const placeOf = ({ message }: Row): Place => {
  const asked = JSON.parse(message as string) as OrderedMessage;
  return { jobKey: asked.jobKey, execId: asked.execId, dueAtMs: asked.dueAtMs, message: asked };
};

const holderOf = ({ jobKey, execId, dueAtMs, takeId, takenAtMs }: Row): Holder =>
  ({ jobKey, execId, dueAtMs, takeId, takenAtMs }) as unknown as Holder;

/** A partition a line; each write costs 1 write unit (a message is below 1 KB but for very long keys). */
export const dynamoLineStore = (access: TableAccess): LineStore => ({
  join: (places) =>
    putRows(
      access,
      places.map(({ message, expiresAtSec }) => ({
        ...placeKey(message),
        message: JSON.stringify(message),
        [TTL_ATTRIBUTE]: expiresAtSec,
      })),
      'places in line',
    ),

  look: (line, limit) => look(access, line, limit),

  async take(place, { takeId, nowMs, expiresAtSec, insteadOf }) {
    const answer = await conditionalUpdate(access, {
      Key: holderKey(place),
      ConditionExpression: anyOf(nobodyHolds, holdsItself, ...(insteadOf ? [heldAsSeen] : [])),
      UpdateExpression:
        'SET #execId = :execId, #jobKey = :jobKey, #dueAtMs = :dueAtMs, #takeId = :takeId, #takenAtMs = :nowMs, ' +
        `#${TTL_ATTRIBUTE} = :expiresAtSec`,
      ExpressionAttributeValues: {
        ':execId': place.execId,
        ':jobKey': place.jobKey,
        ':dueAtMs': place.dueAtMs,
        ':takeId': takeId,
        ':nowMs': nowMs,
        ':expiresAtSec': expiresAtSec,
        ...(insteadOf && { ':seenTakeId': insteadOf.takeId }),
      },
    });
    return answer.held ? 'taken' : 'held';
  },

  stands: async (place) => (await readControlRow(access, placeKey(place))) !== undefined,

  async leave(place) {
    await access.documents.send(new DeleteCommand({ TableName: access.table, Key: placeKey(place) }));
  },

  async nudge(place, { nowMs, everyMs }) {
    const answer = await conditionalUpdate(access, {
      Key: placeKey(place),
      ConditionExpression: allOf(stands, notNudged),
      UpdateExpression: 'SET #nudgedAtMs = :nowMs',
      ExpressionAttributeValues: { ':nowMs': nowMs, ':before': nowMs - everyMs },
      ReturnValues: 'ALL_NEW',
    });
    return answer.held ? placeOf(answer.row!).message : undefined;
  },
});

/** The holder sorts before all places, so one query reads both. Cost: 1 read unit each 4 KB. */
async function look(access: TableAccess, line: LineRef, limit: number): Promise<Line> {
  const rows: Row[] = [];
  let after: Row | undefined;
  do {
    const answer = await access.documents.send(
      new QueryCommand({
        TableName: access.table,
        KeyConditionExpression: ofLine,
        ExpressionAttributeNames: namesIn(ofLine),
        ExpressionAttributeValues: { ':line': lineKeyOf(line) },
        ExclusiveStartKey: after,
        Limit: limit + 1 - rows.length,
        ConsistentRead: true,
      }),
    );
    rows.push(...(answer.Items ?? []));
    after = answer.LastEvaluatedKey;
  } while (after && rows.length <= limit);
  const holder = rows.find((row) => row[SCHEDULE_KEY.sort] === CONTROL_SORT);
  return {
    holder: holder && holderOf(holder),
    places: rows.filter((row) => row !== holder).map(placeOf),
    more: after !== undefined,
  };
}
