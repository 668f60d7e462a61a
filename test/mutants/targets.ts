import type { Mutant } from './mutant';

const TARGET_TYPE = 'lambdas/core/delivery/targets/aws-target-type.ts';
const CHECK = 'test/unit/core/delivery/targets/check-aws-target.test.ts';

const EARLY = 'lambdas/core/delivery/call/early-connections.ts';
const PREPARED_TEST = 'test/integration/pipeline/prepared-claims.test.ts';
const PREPARE = 'lambdas/executor/prepare.ts';
const EARLY_TEST = 'test/unit/core/delivery/call/early-connections.test.ts';

export const targetMutants: readonly Mutant[] = [
  {
    name: 'the name of a function is what stands last in its ARN',
    file: 'lambdas/core/delivery/arn.ts',
    find: 'name === undefined ? undefined : { ...parts, name, qualifier };',
    replace: 'name === undefined ? undefined : { ...parts, name: qualifier ?? name, qualifier };',
    killedBy: CHECK,
    test: 'nor is its version or alias',
  },
  {
    name: 'who may call a function may call each of its versions',
    file: TARGET_TYPE,
    find: 'allowsArn(policy.allowedArns, project, resource.arn)',
    replace: 'allowsArn(policy.allowedArns, project, resource.arn.split(":").slice(0, 7).join(":"))',
    killedBy: 'test/template/entries-as-iam.test.ts',
    test: 'give the same answer',
  },
  {
    name: 'a call takes a connection to another origin',
    file: EARLY,
    find: 'one.project === project && one.origin === url.origin',
    replace: 'one.project === project',
    killedBy: EARLY_TEST,
  },
  {
    name: 'a call takes a connection of another project',
    file: EARLY,
    find: 'one.project === project && one.origin === url.origin',
    replace: 'one.origin === url.origin',
    killedBy: EARLY_TEST,
  },
  {
    name: 'an executor connects early to what its policy forbids',
    file: EARLY,
    find: '      if (!checkUrlOfCall(origin, ofProject.policy, ofProject.allowedHosts).ok) return () => undefined;\n',
    replace: '',
    killedBy: EARLY_TEST,
  },
  {
    name: 'a connection that no call takes stays open',
    file: PREPARE,
    find: '    for (const close of closes) close();\n',
    replace: '',
    killedBy: 'test/integration/pipeline/early-connections.test.ts',
  },
  {
    name: 'a call waits for what signs it, though its message has waited',
    file: PREPARE,
    find: 'reading.push(readSigningSecrets(userId, origin, deps));',
    replace: '',
    killedBy: 'test/integration/pipeline/early-connections.test.ts',
    test: 'what signs a call',
  },
  {
    name: 'a prepared claim leaves however late, and says that it was in time',
    file: PREPARE,
    find: 'deps.clock.nowMs() - startAtMs <= MOST_LATE_MS;',
    replace: 'true;',
    killedBy: PREPARED_TEST,
    test: 'is dropped, and made anew',
  },
  {
    name: 'a claim that is prepared asks its gates before its start',
    file: PREPARE,
    find: ' && !deps.gates.concern(message)',
    replace: '',
    killedBy: PREPARED_TEST,
    test: 'asks its gate at the start',
  },
  {
    name: 'a claim that is held leaves at once',
    file: 'lambdas/core/platform/calls/service-calls.ts',
    find: '    if (heldUntil) await heldUntil;\n',
    replace: '',
    killedBy: 'test/unit/core/platform/calls/service-calls.test.ts',
    test: 'is held',
  },
];
