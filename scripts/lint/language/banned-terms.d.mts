export interface BannedTerm {
  id: string;
  say: string;
  prose?: readonly string[];
  names?: readonly string[];
}

export const BANNED_TERMS: readonly BannedTerm[];
