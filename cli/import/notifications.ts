import { PermissionError, type Quarterjack } from '../../client';
import { isObject } from '../is-object';
import type { ImportedNotification, Refused } from './imported';

/** Bounds of a project. */
const MAX_NOTIFICATIONS = 50;
const MAX_EMAILS = 20;
/** As the API checks an address. */
const EMAIL = /^[^\s@<>()[\],;:\\"\p{Cc}]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/u;

interface Checked {
  notifications: ImportedNotification[];
  refused: Refused[];
}

/**
 * Which notifications the API would take: it knows no dry run of them. What is left to it is an address that
 * gets the notifications of another project, and how many new addresses the day still has.
 */
export async function checkNotifications(
  client: Quarterjack,
  given: readonly ImportedNotification[],
): Promise<Checked> {
  if (given.length === 0) return { notifications: [], refused: [] };
  const known = await knownOf(client);
  const notifications: ImportedNotification[] = [];
  const refused: Refused[] = [];
  for (const one of given) {
    const before = notifications.map(({ id }) => ({ id, isEmail: true }));
    const reason = known === undefined ? NOT_ALLOWED : reasonAgainst(one, [...known, ...before]);
    if (reason === undefined) notifications.push(one);
    else refused.push({ source: one.source, reason: `MAILTO=${addressOf(one)}: ${reason}` });
  }
  return { notifications, refused };
}

const NOT_ALLOWED = 'a notification needs the scope project:admin, which the token has not';

/** A notification of the project, as far as it is counted. */
interface Known {
  id: string;
  isEmail: boolean;
}

/** Undefined if the token may not know them. */
async function knownOf({ notifications }: Quarterjack): Promise<Known[] | undefined> {
  try {
    const all = await notifications.list({ limit: 100 }).toArray();
    return all.map(({ id, target }) => ({ id, isEmail: isObject(target) && target.type === 'email' }));
  } catch (error) {
    if (error instanceof PermissionError) return undefined;
    throw error;
  }
}

function reasonAgainst({ id, definition }: ImportedNotification, all: readonly Known[]): string | undefined {
  if (!EMAIL.test(definition.target.to)) return 'it is no email address';
  const others = all.filter((one) => one.id !== id);
  if (others.length >= MAX_NOTIFICATIONS) return `a project has at most ${MAX_NOTIFICATIONS} notifications`;
  const emails = others.filter(({ isEmail }) => isEmail).length;
  return emails >= MAX_EMAILS ? `a project has at most ${MAX_EMAILS} notifications by email` : undefined;
}

const addressOf = ({ definition }: ImportedNotification): string => definition.target.to;
