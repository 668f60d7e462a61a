/** `default` → `Default`, as ids of constructs are written. */
export const pascalCase = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
