import type { ServiceActions } from '../../lambdas/core/contracts/action-schemas';
import type { OperationNames } from '../../lambdas/core/contracts/action-names';

/** What is known of a service where only the names of its operations are needed. */
export function namesOf({ actions }: ServiceActions): OperationNames {
  const all = Object.entries(actions);
  const prefixes = all.map(([, { needs }]) => needs[0]!.split(':')[0]!);
  const [iam] = [...new Set(prefixes)].toSorted(
    (one, other) => countOf(prefixes, other) - countOf(prefixes, one),
  );
  const others = all.filter(([name, { needs }]) => needs.join() !== `${iam}:${name}`);
  return {
    iam: iam!,
    operations: all.map(([name]) => name).join(' '),
    ...(others.length > 0 && { needs: Object.fromEntries(others.map(([name, { needs }]) => [name, needs])) }),
  };
}

const countOf = (texts: readonly string[], text: string): number =>
  texts.filter((one) => one === text).length;
