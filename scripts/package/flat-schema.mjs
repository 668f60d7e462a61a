/**
 * The part of `client/schema.d.ts` that the types of the client name: schemas, and the queries of operations.
 * No path is in it, no example and no response, so it is a fifth of the file. Each is a type of its own name,
 * which is what editors show.
 *
 * The generator of `schema.d.ts` indents each level by four spaces, which this relies on.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SCHEMA = /components\["schemas"\]\["(\w+)"\]/g;

/** `types` is the text of the declarations that import the schema. Throws for a name that is not in it. */
export function flatSchema(schema, types) {
  const schemas = membersOf(schema, ['export interface components {', '    schemas: {'], 8);
  const operations = membersOf(schema, ['export interface operations {'], 4);
  const queries = namesIn(types, /Query<'(\w+)'>/g).map((name) => [name, queryOf(name, operations)]);
  const wanted = new Map();
  const visit = (name) => {
    if (wanted.has(name)) return;
    const member = found(schemas, name);
    wanted.set(name, member.text);
    for (const next of namesIn(member.text, SCHEMA)) visit(next);
  };
  for (const name of namesIn(types, /Schemas\['(\w+)'\]/g)) visit(name);
  for (const [, text] of queries) for (const name of namesIn(text, SCHEMA)) visit(name);

  const named = withBases(wanted).map(([name, text]) =>
    withoutComments(name, declarationOf(name, text), wanted),
  );
  const asked = queries.map(([name, text]) => text.replace('query?: ', `export type ${name} = `));
  const texts = [...named, ...asked].map((text) => onFewerLines(withoutTags(`${text}\n`)));
  return onceEach(withSharedMembers(texts).join('')).replaceAll(SCHEMA, '$1');
}

/** A long comment that is repeated word by word stands where it comes first: 1 kB less. */
function onceEach(text) {
  const seen = new Set();
  return text.replaceAll(/^ *\/\*\* ([^\n]{60,}) \*\/\n/gm, (line, words) => {
    if (seen.has(words)) return '';
    seen.add(words);
    return line;
  });
}

/**
 * A text with its default, and an object of one value, take one line each: 700 bytes less. What is always
 * there needs no default. A listing of the client takes no cursor, so the queries have none: 1.3 kB less.
 */
const onFewerLines = (text) =>
  text
    .replaceAll(/ +\/\*\* @default [^\n]* \*\/\n(?= +\w+: )/g, '')
    .replaceAll(/ +\/\*\* The `nextCursor` of (?:a page|the same list) [^\n]*\n +cursor\?: string;\n/g, '')
    .replaceAll(/\/\*\*\n +\* ([^\n]*)\n +\* @default ([^\n]*)\n +\*\//g, '/** $1 Default: $2. */')
    .replaceAll(/\{\n +(\[key: string\]: [^\n{}]+);\n +\}/g, '{ $1 }');

/** An object that has much of an earlier one picks it there, comments and all: 5 kB less. */
function withSharedMembers(texts) {
  const objects = texts.map(objectOf);
  return texts.map((text, at) => {
    const earlier = objects[at] ? objects.slice(0, at).filter(Boolean) : [];
    const picked = earlier.flatMap((other) => pickedFrom(other, objects[at]) ?? []);
    const [shortest] = picked.sort((a, b) => a.length - b.length);
    return shortest !== undefined && shortest.length < text.length - LEAST_GAIN ? shortest : text;
  });
}

const LEAST_GAIN = 200;

/** Undefined for another type, and for an object with members that have no names, such as `[key: string]`. */
function objectOf(text) {
  const [head, name] = /^export type (\w+) = \{$/m.exec(text) ?? [];
  if (head === undefined) return undefined;
  const members = membersOf(`\n${text}`, [head], 4);
  const isWhole = text.endsWith(`${head}\n${linesOf([...members.values()])}};\n`);
  return isWhole ? { name, members } : undefined;
}

function pickedFrom(other, { name, members }) {
  const isShared = ([key, { text }]) => other.members.get(key)?.text === text;
  const shared = [...members].filter(isShared).map(([key]) => `"${key}"`);
  if (shared.length === 0) return undefined;
  const own = [...members].filter((one) => !isShared(one)).map(([, member]) => member);
  const picked = `export type ${name} = Pick<${other.name}, ${shared.join(' | ')}>`;
  return own.length === 0 ? `${picked};\n` : `${picked} & {\n${linesOf(own)}};\n`;
}

const linesOf = (members) => members.map(({ text }) => `${text.replace(/^/gm, '    ')}\n`).join('');

const IMPORTS_TYPES = /^import type \{ ([^}]+) \} from '(?:\.\.\/)+client\/types';$/gm;

/** The types of the client that declarations in a folder import, and none other. */
export function typesNamedBy(folder, types) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.d.ts'),
  );
  const all = files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
  const head = types.slice(0, types.indexOf('type Query<'));
  const named = namesIn(all, IMPORTS_TYPES).flatMap((names) => names.split(', '));
  const declared = [...new Set(named)].map((name) => {
    const [text] = new RegExp(`^(?:/\\*\\*.*\\n)?export type ${name} = .*;$`, 'm').exec(types) ?? [];
    if (text === undefined) throw new Error(`client/types.ts has no type ${name} of one line`);
    return text;
  });
  return `${head}\n${declared.join('\n')}\n`;
}

/** A declaration that imports the schema, with the names that types have in the flat one. */
export const withFlatNames = (text) =>
  text
    .replace('import type { components, operations }', 'import * as schemas')
    .replace(/^\/\*\*[^\n]*\*\/\ntype Schemas = .*\n/m, '')
    .replace(/^type Query<.*\n/m, '')
    .replaceAll(/(?:Schemas\['|Query<')(\w+)'[\]>]/g, 'schemas.$1')
    .replaceAll(SCHEMA, '$1');

/** A type that begins as another one does is that one, and what it adds: members, or further choices. */
function withBases(members) {
  const shapes = [...members].map(([name, text]) => [name, SHAPE.exec(text)[0]]);
  const objects = shapes.filter(([, shape]) => shape.startsWith('{\n'));
  const shortened = ([name, text], shape) => {
    for (const [base, start] of objects.filter((one) => one[0] !== name)) {
      const reference = `components["schemas"]["${base}"]`;
      if (shape.startsWith(`${start} | `)) return text.replace(start, reference);
      const open = start.slice(0, -1);
      const isChoice = [start, shape].some((one) => one.includes('\n} | '));
      if (!isChoice && shape.startsWith(open)) return text.replace(open, `${reference} & {\n`);
    }
    return text;
  };
  return [...members].map((member, at) => [member[0], shortened(member, shapes[at][1])]);
}

/** What the API returns of a type, with all defaults: the type that users write has the comments. */
const withoutComments = (name, text, wanted) =>
  name.endsWith('Output') && wanted.has(name.slice(0, -'Output'.length))
    ? text.replaceAll(/(?<=\n) +\/\*\*[^]*?\*\/\n/g, '')
    : text;

/** What a member is, without its name and its semicolon. */
const SHAPE = /(?<=^\w+\??: ).*(?=;$)/ms;

const namesIn = (text, pattern) => [...new Set([...text.matchAll(pattern)].map(([, name]) => name))];

function found(members, name) {
  const member = members.get(name);
  if (member === undefined) throw new Error(`client/schema.d.ts has no ${name}, which client/types.ts names`);
  return member;
}

/** The members of an interface by their names, each with the comment above it. */
function membersOf(schema, heads, depth) {
  let at = 0;
  for (const head of heads) {
    at = schema.indexOf(`\n${head}\n`, at);
    if (at === -1) throw new Error(`client/schema.d.ts has no line "${head}"`);
    at += head.length + 1;
  }
  const indent = ' '.repeat(depth);
  const members = new Map();
  let lines = [];
  for (const line of schema.slice(at + 1).split('\n')) {
    if (!line.startsWith(indent)) break; // the end of the interface
    lines.push(line);
    if (line[depth] === ' ' || line[depth] === '/' || !line.endsWith(';')) continue;
    const text = lines.map((one) => one.slice(depth)).join('\n');
    const name = /^(\w+)\??: /m.exec(text)?.[1];
    if (name !== undefined) members.set(name, { text });
    lines = [];
  }
  return members;
}

/** The member `query` of an operation, at the third level. */
function queryOf(name, operations) {
  const { text } = found(operations, name);
  const parameters = membersOf(`\n${text}`, [`${name}: {`, '    parameters: {'], 8);
  return found(parameters, 'query').text;
}

/** A type, and no interface: an object of it may then be used where any record is asked for. */
const declarationOf = (name, text) => text.replace(new RegExp(`^${name}: `, 'm'), `export type ${name} = `);

const SAID_BY_TYPE = /^(?:@(?:example|constant|enum)\b|Format:|discriminator enum property)/;

/** Comments with what they say alone. Examples and what the type says too are left out. */
function withoutTags(text) {
  return text.replace(/^( *)\/\*\*(.*?)\*\/\n/gms, (_, indent, comment) => {
    const tags = comment
      .split('\n')
      .map((line) => line.trim().replace(/^\* ?/, ''))
      .join('\n')
      .split(/^(?=(?:@(?:description|example|default|constant|enum)|Format:)\s)/m)
      .map((tag) => tag.trim().replace(/^@description /, ''))
      .filter((tag) => tag !== '' && !SAID_BY_TYPE.test(tag))
      .map((tag) => (tag.startsWith('@default') ? tag.replace(/\s+/g, ' ') : tag))
      .map((tag) => tag.replaceAll('\n', `\n${indent} * `));
    if (tags.length === 0) return '';
    return tags.length === 1
      ? `${indent}/** ${tags[0]} */\n`
      : `${indent}/**\n${tags.map((tag) => `${indent} * ${tag}\n`).join('')}${indent} */\n`;
  });
}
