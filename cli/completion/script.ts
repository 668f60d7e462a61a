import { bashScript } from './bash';
import { fishScript } from './fish';
import type { Node } from './tree';
import { zshScript } from './zsh';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

const SCRIPTS: Record<Shell, (tree: readonly Node[]) => string> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** A completion script with all commands in it: it starts a process for ids alone, which the API knows. */
export const completionScript = (shell: Shell, tree: readonly Node[]): string => SCRIPTS[shell](tree);
