import { type Condition, numberTestOf, type Test } from './choice';
import { type Dependency, eitherOf, type Tasks, type Way } from './tasks';

/** The ways on from a condition. Undefined: it never comes out so. */
interface Outcome {
  holds: Way | undefined;
  fails: Way | undefined;
}

const MAX_CASES = 50;

/**
 * The ways that lead to the rules of a choice, and the way on if none of them holds. Rules are tried in their
 * order, and no more of a rule than decides it, so what they never reach need not have a value.
 */
export function decide(
  tasks: Tasks,
  name: string,
  conditions: readonly Condition[],
  from: Way,
): { rules: (Way | undefined)[]; none: Way | undefined } {
  const rules: (Way | undefined)[] = [];
  let rest: Way | undefined = from;
  for (let at = 0; at < conditions.length;) {
    const group = rest === undefined ? [] : groupAt(conditions, at);
    if (rest === undefined) {
      rules.push(undefined);
      at += 1;
    } else if (group.length > 1) {
      const { cases, otherwise } = switchOver(tasks, name, group, rest);
      rules.push(...cases);
      rest = otherwise;
      at += group.length;
    } else {
      const { holds, fails } = outcomeOf(tasks, name, conditions[at]!, rest);
      rules.push(holds);
      rest = fails;
      at += 1;
    }
  }
  return { rules, none: rest };
}

/** The tests of neighbouring rules that one switch can make. */
function groupAt(conditions: readonly Condition[], from: number): Test[] {
  const tests: Test[] = [];
  for (const condition of conditions.slice(from, from + MAX_CASES)) {
    if (!('test' in condition)) break;
    const [first] = tests;
    if (first && (condition.test.on !== first.on || condition.test.isOrder !== first.isOrder)) break;
    tests.push(condition.test);
  }
  return tests;
}

function switchOver(tasks: Tasks, name: string, tests: readonly Test[], from: Way) {
  const [first] = tests;
  const number = first!.isOrder ? switchOf(tasks, name, [numberTestOf(first!)], from) : undefined;
  const { cases, otherwise } = switchOf(tasks, name, tests, number ? number.cases[0]! : from);
  return { cases, otherwise: number ? [...number.otherwise, ...otherwise] : otherwise };
}

function switchOf(tasks: Tasks, name: string, tests: readonly Test[], from: Way) {
  const branchOf = (index: number): string => `case-${index + 1}`;
  const cases = tests.map(({ comparison }, index) => ({ branch: branchOf(index), ...comparison }));
  const task = tasks.add(name, { switch: { on: tests[0]!.on, cases, default: 'default' } }, from);
  const ways = tests.map((_, index): Dependency[] => [{ task, branch: branchOf(index) }]);
  return { cases: ways, otherwise: [{ task, branch: 'default' }] };
}

function outcomeOf(tasks: Tasks, name: string, condition: Condition, from: Way): Outcome {
  if ('known' in condition)
    return condition.known ? { holds: from, fails: undefined } : { holds: undefined, fails: from };
  if ('not' in condition) {
    const { holds, fails } = outcomeOf(tasks, name, condition.not, from);
    return { holds: fails, fails: holds };
  }
  if ('test' in condition) {
    const { cases, otherwise } = switchOver(tasks, name, [condition.test], from);
    return { holds: cases[0], fails: otherwise };
  }
  const isAll = 'all' in condition;
  const decided: (Way | undefined)[] = [];
  let rest: Way | undefined = from;
  for (const inner of isAll ? condition.all : condition.any) {
    if (rest === undefined) break;
    const { holds, fails } = outcomeOf(tasks, name, inner, rest);
    decided.push(isAll ? fails : holds);
    rest = isAll ? holds : fails;
  }
  const early = eitherOf(decided);
  return isAll ? { holds: rest, fails: early } : { holds: early, fails: rest };
}
