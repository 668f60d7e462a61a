import { keptText, type TargetResult } from '../../domain/target-result';
import { outputOfText } from '../../domain/workflow/output';
import { failureOf, isSilent, isThrottled } from '../call/aws-call';
import type { ErrandEnd, ErrandById, Probed, Started } from './errand-kind';

export const stringIn = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

export const isNamed = (error: unknown, name: string): boolean =>
  error instanceof Error && error.name === name;

/** The end of an errand that has returned this text, if it has returned any. */
export const succeededWith = (text: string | undefined): ErrandEnd => ({
  how: 'succeeded',
  ...(text !== undefined && { body: keptText(text, 'ofSuccess'), output: outputOfText(text) }),
});

/** The status of an end, and behind it what its service says of that. */
export const errorOfEnd = (status: string, said: string): string =>
  `${status}${said && `: ${keptText(said, 'ofFailure')}`}`;

/** A failed end says so if its service runs it again by itself: that run has no name here. */
export const withOwnRetries = (end: ErrandEnd, setting: string, count = 0): ErrandEnd =>
  end.how === 'failed' && count > 0
    ? {
        ...end,
        error: `${end.error} (${setting} is ${count}: it runs again by itself, unwatched; set it to 0)`,
      }
    : end;

/** A start that was answered, with the id of what began, if the service gives one. */
export const startedAs = (id: string | undefined): Started => ({
  how: 'started',
  ...(id !== undefined && { id }),
});

/** A refusal for want of room, which may be over by the next attempt. */
export const withoutRoom = (failed: Started): Started =>
  failed.how === 'refused' ? { ...failed, result: { ...failed.result, outcome: 'retriable' } } : failed;

/** Events name a revision. A target may name the family alone, and then gets the latest one. */
export const isOfRevision = (target: string, inEvent: string): boolean =>
  inEvent === target || inEvent.replace(/:\d+$/, '') === target;

/** What an error says of a start: it is refused, unless nothing was answered. */
export function failedStart(error: unknown, signal: AbortSignal): Exclude<Started, { how: 'started' }> {
  const result: TargetResult = failureOf(error, signal);
  if (isSilent(error, signal)) return { how: 'unknown', error: result.error ?? String(error) };
  return { how: 'refused', result };
}

/** What an error says of an errand: nothing. */
export const failedProbe = (error: unknown): Probed => ({
  state: 'unknown',
  error: String(error),
  ...(isThrottled(error) && { isThrottled: true }),
});

/** What one answer says of several errands, in their order; nothing, if it is an error. */
export async function probedOf<Item>(
  errands: readonly ErrandById[],
  ask: (ids: string[]) => Promise<readonly Item[]>,
  { idOf, seen }: { idOf: (item: Item) => string | undefined; seen: (item: Item, id: string) => Probed },
): Promise<Probed[]> {
  try {
    const items = await ask(errands.map(({ id }) => id));
    return errands.map(({ id }) => {
      const item = items.find((one) => idOf(one) === id);
      return item ? seen(item, id) : { state: 'none' };
    });
  } catch (error) {
    return errands.map(() => failedProbe(error));
  }
}

/** The service would refuse the input of a start. */
export const refusedInput = (error: string): Started => ({
  how: 'refused',
  result: { outcome: 'fatal', reason: 'bad-input', error },
});
