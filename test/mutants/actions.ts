import type { Mutant } from './mutant';

const CALLS = 'test/unit/core/delivery/call/action/call-action.test.ts';
const CALL = 'lambdas/core/delivery/call/action/call-action.ts';
const INPUTS = 'test/unit/core/delivery/actions/fit-input.test.ts';
const FITTING = 'lambdas/core/delivery/actions/fit-input.ts';

/** Faults in what keeps calls of AWS within the rights of their project, and repeated calls one. */
export const actionMutants: readonly Mutant[] = [
  {
    name: 'a session may do what the role may',
    file: CALL,
    find: 'boundRoleFor(project, check.action.rights)',
    replace: 'boundRoleFor(project, [])',
    killedBy: CALLS,
    test: 'the session may do this action',
  },
  {
    name: 'a project may call what another one may',
    file: 'lambdas/core/contracts/allowed-actions.ts',
    find: '[...(ownEntry(all, project) ?? []), ...(all[EVERY_PROJECT] ?? [])].filter(',
    replace: 'Object.values(all).flat().filter(',
    killedBy: CALLS,
    test: 'for a project that may not',
  },
  {
    name: 'all executions have one token of idempotency',
    file: CALL,
    find: 'tokenOf(id, `${target.action} ${path}`)',
    replace: "tokenOf('', `${target.action} ${path}`)",
    killedBy: CALLS,
    test: 'all attempts have one token',
  },
  {
    name: 'each attempt has a token of its own',
    file: CALL,
    find: 'tokenOf(id, `${target.action} ${path}`)',
    replace: 'tokenOf(String(process.hrtime.bigint()), `${target.action} ${path}`)',
    killedBy: CALLS,
    test: 'all attempts have one token',
  },
  {
    name: 'any role may be passed on',
    file: FITTING,
    find: '    if (isRoleMember(name)) this.checkRoles(value, path);\n',
    replace: '    void isRoleMember;\n',
    killedBy: INPUTS,
    test: 'a role is passed on only if that is allowed',
  },
  {
    name: 'events may be forged',
    file: FITTING,
    find: "if (name === SOURCE && typeof value === 'string' && isReservedSource(value))",
    replace: "if (name === SOURCE && value === '' && isReservedSource(value))",
    killedBy: INPUTS,
    test: 'is not forged',
  },
  {
    name: 'a limit of throughput is final',
    file: 'lambdas/core/delivery/call/aws-call.ts',
    find: 'LimitExceeded|ThroughputExceeded|',
    replace: 'LimitExceeded|',
    killedBy: CALLS,
    test: 'a limit of throughput',
  },
  {
    name: 'an output that an input names is not kept',
    file: 'lambdas/core/domain/workflow/references.ts',
    find: "return target.type === 'aws' ? textsIn(target.input as Json) : [];",
    replace: 'return [];',
    killedBy: 'test/unit/core/domain/workflow/data.test.ts',
    test: 'an output that the input of an action names',
  },
  {
    name: 'an action may hold an executor for its whole attempt',
    file: 'lambdas/core/domain/long-call.ts',
    find: "  if (target.type === 'aws') return LONGEST_SHORT_CALL_MS;\n",
    replace: '',
    killedBy: 'test/unit/core/domain/long-call.test.ts',
    test: 'an action of AWS holds its executor',
  },
];
