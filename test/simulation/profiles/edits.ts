import type { FakeRandom } from '../../support/fake-random';
import { profileOf, withActions } from './draws';

/** A change of what an execution takes with it while it waits: its gates and its target. */
function gatesOrTarget(random: FakeRandom): Record<string, unknown> {
  const timeout = random.pick(['10s', '30s', '2m']);
  const changes = [
    { overlap: random.pick(['allow', 'skip', 'queue', 'replace']) },
    { orderingKey: random.pick([null, 'key-1', 'key-2']) },
    { target: { type: 'http', url: `https://example.com/${random.pick(['hook', 'other'])}`, timeout } },
  ];
  return Object.assign({}, random.pick(changes), random.fraction() < 0.3 ? random.pick(changes) : {});
}

/** Jobs get and lose gates and targets while their attempts wait for a retry, a key or a lock. */
export const edits = profileOf(({ plan, window, freezes, kills, actions }) => ({
  faults: [
    window('target-fails', 0.5),
    window('target-asks-to-wait', 0.3),
    window('target-slow', 0.3),
    window('queue-lost', 0.2),
    window('queue-delayed', 0.2),
    ...freezes(10, 'executor', 10),
    ...kills(10, 'executor', 14),
  ],
  actions: withActions(
    plan,
    actions(['patch', 'patch', 'patch', 'run', 'cancel', 'retry'], 80, gatesOrTarget),
  ),
}));
