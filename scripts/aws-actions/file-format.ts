import type { ServiceActions } from '../../lambdas/core/contracts/action-schemas';

/** One line for each action and shape, so that changes can be read. */
export function format({ actions, shapes, ...rest }: ServiceActions): string {
  const lines = Object.entries(actions).map(
    ([name, action]) => `${JSON.stringify(name)}:${JSON.stringify(action)}`,
  );
  const head = JSON.stringify(rest).slice(0, -1);
  return `${head},"actions":{\n${lines.join(',\n')}\n},"shapes":[\n${shapes.map((one) => JSON.stringify(one)).join(',\n')}\n]}\n`;
}
