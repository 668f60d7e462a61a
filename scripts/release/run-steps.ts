/** One step of a release. */
export interface Step {
  /** What it demands or does, as a line of the report. */
  says: string;
  /** Looks, changes nothing, and says why the release cannot go on. */
  refusal?: () => string | undefined;
  act?: () => void | Promise<void>;
  /** Takes back what `act` has changed. */
  undo?: () => void;
  /** After this step, nothing is taken back. */
  final?: boolean;
}

/** A person has to do something first. */
export class ReleaseError extends Error {}

/** Says each step, and what a step would refuse. Changes nothing. Returns how many steps refuse. */
export function sayAll(steps: readonly Step[], print: (line: string) => void): number {
  let refused = 0;
  steps.forEach(({ says, refusal }, index) => {
    const reason = refusal?.();
    if (reason !== undefined) refused += 1;
    const state = refusal === undefined ? 'to do' : reason === undefined ? 'ok' : 'no';
    print(`${line(index)} ${state.padEnd(5)} ${says}${reason === undefined ? '' : `: ${reason}`}`);
  });
  return refused;
}

/**
 * Takes the steps in their order. If one fails, the changes of the former ones are taken back, unless one of
 * them is final.
 */
export async function takeAll(steps: readonly Step[], print: (line: string) => void): Promise<void> {
  let undone: Step[] = [];
  for (const [index, step] of steps.entries()) {
    print(`${line(index)} ${step.says}`);
    try {
      const reason = step.refusal?.();
      if (reason !== undefined) throw new ReleaseError(`${step.says}: ${reason}`);
      undone = [step, ...undone];
      await step.act?.();
      if (step.final) undone = [];
    } catch (error) {
      for (const { undo } of undone) undo?.();
      throw error;
    }
  }
}

const line = (index: number): string => String(index + 1).padStart(2);
