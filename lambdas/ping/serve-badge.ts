import { cachedByKey } from '../core/async/cached';
import { SECOND_MS } from '../core/clock/clock';
import type { StageDeps } from '../core/deps';
import { pingIdIn } from '../core/api-keys/ping-key';
import { type BadgeStatus, badgeStatusOf } from './badge-status';
import { badgeSvg } from './badge-svg';
import { type FindingDeps, monitorOfKey } from './find-monitor';
import { readSeen } from './read-seen';
import { methodNotAllowed, NOT_FOUND, type PingResponse } from './responses';

/** A request to the path of badges, as it came. */
export interface BadgeRequest {
  method: string;
  /** What the path ends with: a key and `.svg`. */
  file: string;
  label?: string | undefined;
}

const METHODS = ['GET', 'HEAD'];
const LABEL = /^[\w .-]{1,40}$/;
const IMAGE = { 'content-type': 'image/svg+xml; charset=utf-8', 'cache-control': 'max-age=60' };

/** Answers a request to a badge: an image of the status of its monitor. */
export async function serveBadge(
  { method, file, label = 'monitor' }: BadgeRequest,
  statusOf: (key: string) => Promise<BadgeStatus | undefined>,
): Promise<PingResponse> {
  if (!METHODS.includes(method)) return methodNotAllowed('a badge is', METHODS);
  if (!LABEL.test(label))
    return {
      status: 400,
      text: 'label must be 1 to 40 letters of A to Z, digits, spaces, ".", "_" or "-"\n',
    };
  const key = /^(.*)\.svg$/.exec(file)?.[1] ?? '';
  if (pingIdIn(key, 'qjb') === undefined) return NOT_FOUND;
  const status = await statusOf(key);
  return status ? { status: 200, text: badgeSvg(label, status), headers: IMAGE } : NOT_FOUND;
}

/** Images may be a minute old. A process reads no more often than this for each key, whether it is right. */
const TTL_MS = 10 * SECOND_MS;
const MAX_KEYS = 10_000;

/** The status of the monitor of a badge's key; undefined: there is none. A flood of requests reads little. */
export const badgeStatuses = (
  deps: FindingDeps & StageDeps,
): ((key: string) => Promise<BadgeStatus | undefined>) =>
  cachedByKey(
    async (key) => {
      const monitor = await monitorOfKey(key, 'qjb', deps);
      if (!monitor) return undefined;
      const nowMs = deps.clock.nowMs();
      return badgeStatusOf(monitor.job, await readSeen(monitor.job, nowMs, deps), nowMs);
    },
    { ttlMs: TTL_MS, clock: deps.clock, maxKeys: MAX_KEYS },
  );
