/** A member of an exported interface or class, with the comment above it. */
export interface DocumentedMember {
  owner: string;
  name: string;
  isOptional: boolean;
  /** Without its stars; empty if there is none. */
  doc: string;
  /** What `@default` says. */
  standard: string | undefined;
}

const OWNER = /^export (?:declare )?(?:interface|class) (\w+)/;
const MEMBER = /^\s+(?!private |constructor\()(?:(?:static|readonly|get) )*(\w+)(\?)?[:(]/;

/**
 * The members of the interfaces and classes in a declaration, as the compiler or the formatter lays them out.
 * Each owner is a member of itself.
 */
export function documentedMembers(text: string): DocumentedMember[] {
  const found: DocumentedMember[] = [];
  let owner = '';
  let comment = '';
  for (const line of text.split('\n')) {
    const start = /^\s*\/\*\*/.test(line);
    if (start || (comment !== '' && !comment.includes('*/'))) {
      comment = start ? line : `${comment}\n${line}`;
      continue;
    }
    const [, declared] = OWNER.exec(line) ?? [];
    const [, member, optional] = MEMBER.exec(line) ?? [];
    owner = declared ?? owner;
    const name = declared ?? member;
    if (name !== undefined && owner !== '') {
      const doc = comment.replace(/^\s*(?:\/\*\*|\*\/|\*)|\*\/$/gm, '').trim();
      const [, standard] = /@default (.+)/.exec(doc) ?? [];
      found.push({ owner, name, isOptional: optional === '?', doc, standard: standard?.trim() });
    }
    if (line.startsWith('}')) owner = '';
    comment = '';
  }
  return found;
}
