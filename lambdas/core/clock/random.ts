/** Randomness for all stages. It is injected, so that a seed decides it in tests. */
export interface Random {
  /** Uniform in [0, 1). */
  fraction(): number;
  /** A new id that cannot be guessed: 26 lower-case letters and digits. */
  id(): string;
}
