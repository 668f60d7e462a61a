export function copyDeclarations(from: string, to: string, entries: readonly string[]): void;
