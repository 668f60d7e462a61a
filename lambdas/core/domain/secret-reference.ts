/** A secret's name: what may stand in `{{ secrets.NAME }}`. */
export const SECRET_NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

const REFERENCE = /\{\{[ \t]*secrets\.([A-Za-z_][A-Za-z0-9_-]{0,63})[ \t]*\}\}/g;
/** A text between braces that names secrets in any form, also with a filter or without its end. */
const MENTION = /\{\{\s*secrets(?![A-Za-z0-9_])/;

/** The name in a text that is one reference and nothing else; undefined for any other text. */
export function secretNameIn(text: string): string | undefined {
  const [match] = text.matchAll(REFERENCE);
  return match && match[0] === text ? match[1] : undefined;
}

/** The names in a text, each once, in their order. */
export const referencedSecrets = (text: string): string[] => [
  ...new Set([...text.matchAll(REFERENCE)].map(([, name = '']) => name)),
];

/** How often a text refers to a secret. */
export const countReferences = (text: string): number => text.match(REFERENCE)?.length ?? 0;

/** The text with the value of each reference put in. Values are put in as they are, and never read again. */
export const putSecretsInto = (text: string, valueOf: (name: string) => string): string =>
  text.replaceAll(REFERENCE, (_, name: string) => valueOf(name));

/** Whether a text names secrets in another form than the exact reference. */
export const hasMalformedReference = (text: string): boolean => MENTION.test(text.replaceAll(REFERENCE, ''));

/** Whether a text names secrets in any form. */
export const mentionsSecrets = (text: string): boolean => MENTION.test(text);

export const secretReferenceTo = (name: string): string => `{{ secrets.${name} }}`;

/** Whether a text names these secrets in this order, and no others. */
export const hasReferences = (text: string, names: readonly string[]): boolean =>
  !hasMalformedReference(text) &&
  [...text.matchAll(REFERENCE)].map(([, name]) => name).join(' ') === names.join(' ');
