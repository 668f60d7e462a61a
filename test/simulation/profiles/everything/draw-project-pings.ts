import { FakeRandom } from '../../../support/fake-random';
import type { RunPlan } from '../../run-plan';
import type { ClientAction } from '../../workload';
import { MINUTE_MS } from '../draws';
import { drawClosing, drawMinute, drawOperation, MONITORS } from './draw-monitors';
import { type Body, given, maybe } from './drawn';

/** Drawn apart, so that no other draw changes. */
const APART = 101_000;
const WITH_PINGS = 0.7;
/** Jobs that pings make, where they may: users only change and delete them. */
const MADE = ['made-0', 'made-1'];
/** One of these slugs is that of a job of another kind. */
const SLUGS = [...MADE, ...MONITORS, 'job-0'];
const SECOND_MS = 1_000;
const FIRST_MS = 30 * SECOND_MS;
const KEY_OPERATIONS = 8;
const OPERATIONS = 5;
const DELETIONS = 2;

type Drawn = Pick<ClientAction, 'action' | 'atMs' | 'jobId' | 'body'>;

/** Pings by the URL of the project, which also make monitors, in some of the seeds. */
export function drawProjectPings(plan: RunPlan): Drawn[] {
  const random = new FakeRandom(APART + plan.seed);
  return random.fraction() < WITH_PINGS ? actionsOfProjectPings(random, plan, SLUGS) : [];
}

/** The URL is made, changed, rotated and ended. What pings have made, users delete: pings make it again. */
export function actionsOfProjectPings(
  random: FakeRandom,
  { quietFromMs }: RunPlan,
  slugs: readonly string[] = MADE,
): Drawn[] {
  const anyTime = () => random.between(MINUTE_MS, quietFromMs);
  const many = <One>(count: number, draw: () => One): One[] => Array.from({ length: count }, draw);
  const minutes = Math.floor(quietFromMs / MINUTE_MS);
  return [
    putKey(random, FIRST_MS),
    ...many(KEY_OPERATIONS, () => drawOnKey(random, anyTime())).flat(),
    ...slugs.flatMap((slug) =>
      many(minutes, () => slug).flatMap((jobId, minute) =>
        drawMinute(random, jobId, minute * MINUTE_MS, {
          by: random.pick(['project', 'project', 'earlier']),
          creates: maybe(random, 0.6, () => true),
        }),
      ),
    ),
    ...MADE.flatMap((jobId) => [
      ...many(OPERATIONS, () => drawOperation({ random, later: random }, jobId, quietFromMs)),
      ...many(DELETIONS, (): Drawn => ({ action: 'delete', atMs: anyTime(), jobId })),
      ...drawClosing(random, jobId, quietFromMs),
    ]),
  ];
}

const onKey = (action: Drawn['action'], atMs: number, body?: Body): Drawn => ({
  action,
  atMs,
  jobId: '',
  body,
});

const putKey = (random: FakeRandom, atMs: number): Drawn =>
  onKey(
    'put-ping-key',
    atMs,
    given({
      name: maybe(random, 0.5, () => 'servers'),
      allowCreate: maybe(random, 0.8, () => random.fraction() < 0.8),
    }),
  );

/** A key that is removed is soon there again, in most cases. */
function drawOnKey(random: FakeRandom, atMs: number): Drawn[] {
  switch (random.pick(['put', 'put', 'rotate', 'rotate', 'remove'] as const)) {
    case 'put':
      return [putKey(random, atMs)];
    case 'rotate':
      return [onKey('rotate-ping-key', atMs, given({ now: maybe(random, 0.3, () => true) }))];
    case 'remove':
      return [
        onKey('remove-ping-key', atMs),
        ...(random.fraction() < 0.8 ? [putKey(random, atMs + random.between(2, 40) * SECOND_MS)] : []),
      ];
  }
}
