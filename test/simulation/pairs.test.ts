import { type Operation, ROUTES } from '../../lambdas/core/contracts/routes';
import { JobBody } from '../../lambdas/core/http/job';
import { CLIENT_OPERATIONS } from './clients';
import { ERRAND_KINDS } from './faults';
import { IMPOSSIBLE } from './pairs/impossible';
import { ALL_FEATURES, COUNTED_FEATURES, featuresOfBody } from './pairs/job-features';
import { COUNTED_OPERATIONS, NOT_OF_CLIENTS, notificationFeatures } from './pairs/operations';
import { everything } from './profiles/everything';
import { PROFILES } from './profiles/profiles';
import type { RunPlan } from './run-plan';
import type { ClientAction } from './workload';

/** Drawn, not played. */
const SEEDS = 200;
const CHECKED = 1_000;
const plans = Array.from({ length: SEEDS }, (_, index) => everything(index + 1));

const definitionsIn = ({ action, body }: ClientAction): unknown[] => {
  if (action === 'create' || action === 'put') return [body];
  return action === 'batch' ? (body!.jobs as unknown[]) : [];
};
const drawn = plans.flatMap(({ actions }) => actions.flatMap(definitionsIn));

test('every field of a job, and every value of it, is drawn by the profile that draws everything', () => {
  const found = new Set(drawn.flatMap((body) => [...featuresOfBody(body)]));
  expect([...ALL_FEATURES].filter((feature) => !found.has(feature))).toEqual([]);
});

test('what is drawn has the form that the API takes', () => {
  const refused = drawn.slice(0, CHECKED).flatMap((body) => {
    const { error } = JobBody.safeParse(body);
    return error ? [error.issues] : [];
  });
  expect(drawn.length).toBeGreaterThan(CHECKED);
  expect(refused).toEqual([]);
});

test('every kind of a notification, and every format of it, is drawn', () => {
  const bodies = plans.flatMap(({ actions }) =>
    actions.flatMap(({ action, body }) => (action === 'notification' ? [body] : [])),
  );
  const found = new Set(bodies.flatMap((body) => notificationFeatures(body)));
  expect(notificationFeatures().filter((feature) => !found.has(feature))).toEqual([]);
});

test('what happens to errands and events in any profile happens in the one that draws everything', () => {
  const kindsIn = (drawnPlans: readonly RunPlan[]): Set<string> =>
    new Set(drawnPlans.flatMap(({ faults }) => faults.map(({ kind }) => kind)));
  const others = kindsIn([...PROFILES.values()].map((draw) => draw(1)));
  const own = kindsIn(plans);
  const ofErrands = ERRAND_KINDS.filter((kind) => others.has(kind));
  expect(ofErrands.length).toBeGreaterThan(10);
  expect(ofErrands.filter((kind) => !own.has(kind))).toEqual([]);
});

test('every operation that changes something is asked for by clients, or has a reason not to be', () => {
  const changing = ROUTES.flatMap(({ method, operation }): Operation[] =>
    method === 'GET' ? [] : [operation],
  );
  const known = [...CLIENT_OPERATIONS, ...NOT_OF_CLIENTS.keys()];
  expect(changing.filter((operation) => !known.includes(operation))).toEqual([]);
  expect([...NOT_OF_CLIENTS.keys()].filter((operation) => CLIENT_OPERATIONS.includes(operation))).toEqual([]);
});

test('each pair that is listed as impossible names features and operations that are counted', () => {
  const names = [...COUNTED_FEATURES, ...COUNTED_OPERATIONS];
  const empty = IMPOSSIBLE.filter(({ pair }) => pair.some((one) => !names.some((name) => one.test(name))));
  expect(empty).toEqual([]);
});
