import { waitsRowKeyOf } from '../../../contracts/work-keys';
import type { WaitPlace } from '../../work-store';
import type { TableAccess } from '../access';
import { conditionalUpdate } from '../conditional-write';
import { anyOf } from '../expressions';
import { readRow } from '../read-row';

const attributeOf = (place: number): string => `until${place}`;

/**
 * One row per project with a place for each claim that waits: until when it is taken, and by which claim. So
 * a process that dies with its place needs no repair. Cost: 1 read unit and 1 write unit.
 */
export async function takeWait(
  access: TableAccess,
  userId: string,
  { nowMs, untilMs, places }: { nowMs: number; untilMs: number; places: number },
): Promise<WaitPlace | undefined> {
  const holder = `${untilMs}#${access.random.id()}`;
  const all = Array.from({ length: places }, (_, place) => place);
  // Another claim may take a place while it is chosen.
  for (let tries = 0; tries < places; tries++) {
    const row = (await readRow(access, waitsRowKeyOf(userId))) ?? {};
    const free = all.filter((place) => Number.parseInt(String(row[attributeOf(place)] ?? '0'), 10) <= nowMs);
    if (free.length === 0) return undefined;
    const place = free[Math.floor(access.random.fraction() * free.length)]!;
    const name = `#${attributeOf(place)}`;
    const answer = await conditionalUpdate(access, {
      Key: waitsRowKeyOf(userId),
      ConditionExpression: anyOf(`attribute_not_exists(${name})`, `${name} < :after`, `${name} = :holder`),
      UpdateExpression: `SET ${name} = :holder`,
      // Instants of today have as many digits, so their texts sort as they do.
      ExpressionAttributeValues: { ':after': String(nowMs + 1), ':holder': holder },
    });
    if (answer.applied) return { place, holder };
  }
  return undefined;
}

/** Cost: 1 write unit. */
export async function leaveWait(
  access: TableAccess,
  userId: string,
  { place, holder }: WaitPlace,
): Promise<void> {
  const name = `#${attributeOf(place)}`;
  await conditionalUpdate(access, {
    Key: waitsRowKeyOf(userId),
    ConditionExpression: `${name} = :holder`,
    UpdateExpression: `REMOVE ${name}`,
    ExpressionAttributeValues: { ':holder': holder },
  });
}
