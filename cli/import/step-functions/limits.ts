import { faultsOf } from './fields';
import { type Json, neededText, numberIn, objectsIn, pathIn, textIn, textsIn, Unmapped } from '../json';

const MAX_ATTEMPTS = 100;
const DAY_SEC = 86_400;
const MAX_CALL_SEC = 840;
/** Step Functions ends a call of an HTTP endpoint after this. */
const HTTP_SEC = 60;

/** Tells of what is translated, and yet not as it was. */
export interface Remarks {
  /** It behaves as it did, within bounds that the text names. */
  note: (text: string) => void;
  /** It does not behave as it did: the machine is refused, or imported in part. */
  differs: (text: string) => void;
}

const ALL = 'States.ALL';
/** Together all errors, as `States.ALL`. */
const PARTS_OF_ALL = ['States.TaskFailed', 'States.Timeout'];
/** @param errors names of a retrier or catcher; a state without a time-out has no `States.Timeout` */
const isAll = (errors: readonly string[], canTimeOut: boolean): boolean =>
  errors.includes(ALL) ||
  PARTS_OF_ALL.every((one) => errors.includes(one) || (one === 'States.Timeout' && !canTimeOut));
/** Step Functions itself bounds a call of HTTP. */
const canTimeOut = (json: Json, isHttp: boolean): boolean => isHttp || json.TimeoutSeconds !== undefined;

const checked = (kind: 'retrier' | 'catcher', json: Json): void => {
  const [fault] = faultsOf(kind, json);
  if (fault !== undefined) throw new Unmapped(`${kind === 'retrier' ? 'Retry' : 'Catch'}: ${fault}`);
};

const ONCE = { maxAttempts: 1 };

/** `retry` of a task. A retrier that cannot be told apart by its errors becomes no retry. */
export function retryOf(json: Json, { isHttp }: { isHttp: boolean }, { differs }: Remarks): Json {
  const retriers = objectsIn(json, 'Retry');
  for (const one of retriers) checked('retrier', one);
  const errors = retriers.map((one) => textsIn(one, 'ErrorEquals'));
  const attempts = retriers.map((one) => numberIn(one, 'MaxAttempts', { least: 0 }) ?? 3);
  const [retrier] = retriers;
  if (!retrier || attempts.every((count) => count === 0)) return ONCE;
  const on = isHttp ? statusesOf(errors[0]!) : {};
  if (retriers.length > 1 || on === undefined || (!isHttp && !isAll(errors[0]!, canTimeOut(json, isHttp)))) {
    const names = [...new Set(errors.flat())].join(', ');
    differs(`Retry tells errors apart (${names}), and a retry here does not: it is called once`);
    return ONCE;
  }
  const initialSec = numberIn(retrier, 'IntervalSeconds', { least: 1 }) ?? 1;
  const multiplier = numberIn(retrier, 'BackoffRate', { least: 1, whole: false }) ?? 2;
  const longestSec = numberIn(retrier, 'MaxDelaySeconds', { least: 1 });
  const jitter = textIn(retrier, 'JitterStrategy') ?? 'NONE';
  if (!['FULL', 'NONE'].includes(jitter)) throw new Unmapped(`JitterStrategy ${jitter} is not known`);
  const count = attempts[0]! + 1;
  const reachedSec = Math.min(longestSec ?? Infinity, initialSec * multiplier ** Math.max(0, count - 2));
  if (count > MAX_ATTEMPTS || multiplier > 10 || initialSec > DAY_SEC || reachedSec > DAY_SEC) {
    differs(
      `Retry goes beyond a retry here: at most ${MAX_ATTEMPTS - 1} further attempts, a BackoffRate of 10, and ` +
        'a day between two of them: it is called once',
    );
    return ONCE;
  }
  return {
    maxAttempts: count,
    initialDelay: `${initialSec}s`,
    multiplier,
    maxDelay: `${Math.max(initialSec, Math.min(longestSec ?? DAY_SEC, DAY_SEC))}s`,
    jitter: jitter === 'FULL' ? 'full' : 'none',
    maxAge: '30d',
    ...on,
  };
}

const STATUS = /^States\.Http\.StatusCode\.([345]\d\d)$/;
const MAX_STATUSES = 20;
/** Here, these are retried in any case. */
const ALWAYS_RETRIED = ['States.Timeout', 'States.Http.Socket'];

/** `on`, by names of errors of HTTP endpoints. Undefined: they do not name what a retry always repeats. */
function statusesOf(errors: readonly string[]): { on: unknown[] } | undefined {
  if (isAll(errors, true)) return { on: ['3xx', '4xx', '5xx'] };
  const statuses = errors.flatMap((one) => STATUS.exec(one)?.[1] ?? []).map(Number);
  const isExact =
    ALWAYS_RETRIED.every((one) => errors.includes(one)) &&
    statuses.length + ALWAYS_RETRIED.length === errors.length &&
    statuses.length <= MAX_STATUSES;
  return isExact ? { on: statuses } : undefined;
}

/** Bound on one attempt in seconds. */
export function timeoutSecOf(
  json: Json,
  { isHttp, isLong }: { isHttp: boolean; isLong: boolean },
  { note }: Remarks,
) {
  const given = numberIn(json, 'TimeoutSeconds', { least: 1 });
  if (isHttp) return Math.min(given ?? HTTP_SEC, HTTP_SEC);
  if (given !== undefined && given <= MAX_CALL_SEC) return given;
  if (given !== undefined) note(`its time-out of ${given} s becomes 14m, the longest time of a call`);
  else if (isLong) note('it has no time-out: here, a call ends after 14m');
  return MAX_CALL_SEC;
}

/** Bound on work that is waited for, in seconds. */
export function workTimeSecOf(json: Json, mostSec: number, { note }: Remarks): number {
  const given = numberIn(json, 'TimeoutSeconds', { least: 1 });
  if (given === undefined || given > mostSec)
    note(
      `its work ends after ${mostSec} s at the latest${given === undefined ? '' : `, and not after ${given} s`}`,
    );
  return Math.min(given ?? mostSec, mostSec);
}

export interface Handler {
  to: string;
  resultPath: string | null | undefined;
}

/** What handles every failure. Handlers of some errors alone are remarked on. */
export function handlerOf(
  json: Json,
  { isHttp }: { isHttp: boolean },
  { differs }: Remarks,
): Handler | undefined {
  const catchers = objectsIn(json, 'Catch');
  const handlers = catchers.map((one) => {
    checked('catcher', one);
    const handler: Handler = { to: neededText(one, 'Next'), resultPath: pathIn(one, 'ResultPath') };
    return { handler, errors: textsIn(one, 'ErrorEquals') };
  });
  const last = handlers.findIndex(({ errors }) => isAll(errors, canTimeOut(json, isHttp)));
  const tried = last < 0 ? handlers : handlers.slice(0, last + 1);
  const chosen = tried.at(-1)?.handler;
  const isOne = new Set(tried.map(({ handler }) => JSON.stringify(handler))).size === 1;
  if (chosen && (last < 0 || !isOne)) {
    const names = [...new Set(tried.flatMap(({ errors }) => errors))].join(', ');
    differs(`Catch tells errors apart (${names}), and a handler here takes every failure`);
  }
  return chosen;
}
