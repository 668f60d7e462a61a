import { waitsRowKeyOf } from '../../../contracts/work-keys';
import type { WaitSeat } from '../../work-store';
import type { TableAccess } from '../access';
import { conditionalUpdate } from '../conditional-write';
import { anyOf } from '../expressions';
import { readRow } from '../read-row';

const attributeOf = (seat: number): string => `until${seat}`;
const untilOf = (holder: unknown): number => (typeof holder === 'string' ? Number.parseInt(holder, 10) : 0);

/**
 * One row per project with a seat for each claim that waits: until when it is taken, and by which claim. So
 * a process that dies with its seat needs no repair. Cost: 1 read unit and 1 write unit.
 */
export async function takeWait(
  access: TableAccess,
  userId: string,
  { nowMs, untilMs, seats }: { nowMs: number; untilMs: number; seats: number },
): Promise<WaitSeat | undefined> {
  const holder = `${untilMs}#${access.random.id()}`;
  const all = Array.from({ length: seats }, (_, seat) => seat);
  // Another claim may take a seat while it is chosen.
  for (let tries = 0; tries < seats; tries++) {
    const row = (await readRow(access, waitsRowKeyOf(userId))) ?? {};
    const free = all.filter((seat) => untilOf(row[attributeOf(seat)]) <= nowMs);
    if (free.length === 0) return undefined;
    const seat = free[Math.floor(access.random.fraction() * free.length)]!;
    const name = `#${attributeOf(seat)}`;
    const answer = await conditionalUpdate(access, {
      Key: waitsRowKeyOf(userId),
      ConditionExpression: anyOf(`attribute_not_exists(${name})`, `${name} < :after`, `${name} = :holder`),
      UpdateExpression: `SET ${name} = :holder`,
      // Instants of today have as many digits, so their texts sort as they do.
      ExpressionAttributeValues: { ':after': String(nowMs + 1), ':holder': holder },
    });
    if (answer.applied) return { seat, holder };
  }
  return undefined;
}

/** Cost: 1 write unit. */
export async function leaveWait(
  access: TableAccess,
  userId: string,
  { seat, holder }: WaitSeat,
): Promise<void> {
  const name = `#${attributeOf(seat)}`;
  await conditionalUpdate(access, {
    Key: waitsRowKeyOf(userId),
    ConditionExpression: `${name} = :holder`,
    UpdateExpression: `REMOVE ${name}`,
    ExpressionAttributeValues: { ':holder': holder },
  });
}
