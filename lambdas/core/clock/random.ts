/** Randomness as the stages see it. Injected, so that a seed decides it in tests. */
export interface Random {
  /** Uniform in [0, 1). */
  fraction(): number;
  /** A new unguessable id: 26 lower-case letters and digits. */
  id(): string;
}
