import type { UserFolder } from './user-folder';

/** Programs of users that are compiled together: what takes long is to read the types that all import. */
export interface Programs {
  /** `text` may be read late, from what is installed. */
  add(file: string, text: string | (() => string)): void;
  /** What the compiler says of one of them, and of the types that all import. Compiles at the first call. */
  faultsOf(file: string): string[];
}

/** No two of them may have one name: all are in the folder of the user. */
export function programsOf(user: () => UserFolder, ...flags: string[]): Programs {
  const texts = new Map<string, string | (() => string)>();
  let report: string[] | undefined;
  return {
    add(file, text) {
      if (texts.has(file)) throw new Error(`there are two programs ${file}`);
      texts.set(file, text);
    },
    faultsOf(file) {
      for (const [name, text] of report ? [] : texts)
        user().write(name, typeof text === 'string' ? text : text());
      report ??= user().typeReport([...texts.keys()], ...flags);
      const isOfAnother = (line: string) =>
        [...texts.keys()].some((name) => name !== file && line.startsWith(`${name}(`));
      return report.filter((line) => !isOfAnother(line));
    },
  };
}
