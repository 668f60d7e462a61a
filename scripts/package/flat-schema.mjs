/**
 * The part of `client/schema.d.ts` that the types of the client name: schemas, and the queries of operations.
 * No path is in it, no example and no response, so it is a fifth of the file. Each schema is a type of its
 * own name, which is what editors show.
 *
 * The generator of `schema.d.ts` indents each level by four spaces, which this relies on.
 */

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

  const named = [...wanted].map(([name, text]) => declarationOf(name, text));
  const list = [...wanted.keys()].map((name) => `        ${name}: ${name};`);
  const operation = ([name, query]) => `    ${name}: { parameters: {\n${query}\n    } };`;
  const whole = [
    ...named,
    `export interface components {\n    schemas: {\n${list.join('\n')}\n    };\n}`,
    `export interface operations {\n${queries.map(operation).join('\n')}\n}\n`,
  ].join('\n');
  return withTabs(withoutTags(whole).replaceAll(SCHEMA, '$1'));
}

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
  return found(parameters, 'query').text.replace(/^/gm, ' '.repeat(8));
}

/** A type, and no interface: an object of it may then be used where any record is asked for. */
const declarationOf = (name, text) => text.replace(new RegExp(`^${name}: `, 'm'), `export type ${name} = `);

/** Comments with what they say alone. Examples and what the type says too are left out. */
function withoutTags(text) {
  return text.replace(/^( *)\/\*\*(.*?)\*\/\n/gms, (_, indent, comment) => {
    const tags = comment
      .split('\n')
      .map((line) => line.trim().replace(/^\* ?/, ''))
      .join('\n')
      .split(/^(?=(?:@(?:description|example|default|constant|enum)|Format:)\s)/m)
      .map((tag) => tag.trim())
      .filter((tag) => tag !== '' && !/^(?:@(?:example|constant|enum)\b|Format:)/.test(tag))
      .map((tag) => tag.replace(/^@description /, '').replaceAll('\n', `\n${indent} * `));
    if (tags.length === 0) return '';
    return tags.length === 1
      ? `${indent}/** ${tags[0]} */\n`
      : `${indent}/**\n${tags.map((tag) => `${indent} * ${tag}\n`).join('')}${indent} */\n`;
  });
}

const withTabs = (text) => text.replace(/^(?: {4})+/gm, (spaces) => '\t'.repeat(spaces.length / 4));
