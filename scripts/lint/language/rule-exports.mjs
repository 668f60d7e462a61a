/** Rule `export`: no name is exported by two files of `lambdas/core`, re-exports excepted. */
import { tokensOf } from './code-tokens.mjs';

const CORE = /^lambdas\/core\/.*\.ts$/;
const DECLARES = new Set(['function', 'const', 'let', 'var', 'class', 'interface', 'type', 'enum']);
const MODIFIERS = new Set(['async', 'abstract', 'declare', 'default', 'const', '*']);

/**
 * @param sources `[path, text]` of each file
 * @returns findings that name their own file: `{ path, rule, line, … }`
 */
export function checkExports(sources) {
  const places = new Map();
  for (const [path, text] of sources) {
    if (!CORE.test(path)) continue;
    for (const { name, line } of exportsOf(tokensOf(text))) {
      const known = places.get(name) ?? places.set(name, []).get(name);
      if (!known.some((one) => one.path === path)) known.push({ path, line });
    }
  }
  return [...places].filter(([, where]) => where.length > 1).flatMap(([name, where]) => report(name, where));
}

const report = (name, where) =>
  where.map(({ path, line }) => {
    const others = where.filter((one) => one.path !== path).map((one) => `${one.path}:${one.line}`);
    const message = `\`${name}\` is exported by ${others.join(', ')} too → one name, one meaning`;
    return { path, rule: 'export', line, found: name, message };
  });

/** Names that a file declares and exports. */
export function exportsOf(allTokens) {
  const tokens = allTokens.filter(({ type }) => type !== 'comment');
  const imported = importedBy(tokens);
  const names = [];
  tokens.forEach((token, index) => {
    if (token.text !== 'export' || token.type !== 'name' || tokens[index - 1]?.text === '.') return;
    for (const found of exportAt(tokens, index + 1)) if (!imported.has(found.local)) names.push(found);
  });
  return names;
}

function exportAt(tokens, start) {
  let at = start;
  if (tokens[at]?.text === '{' || (tokens[at]?.text === 'type' && tokens[at + 1]?.text === '{'))
    return listAt(tokens, at + (tokens[at].text === '{' ? 0 : 1));
  while (
    MODIFIERS.has(tokens[at]?.text) &&
    !(tokens[at].text === 'const' && tokens[at + 1]?.text !== 'enum')
  ) {
    if (tokens[at].text === 'default') return [];
    at++;
  }
  if (!DECLARES.has(tokens[at]?.text)) return [];
  at++;
  if (tokens[at]?.text === '*') at++;
  if (tokens[at]?.text === '{') return listAt(tokens, at, ':');
  const { text, line } = tokens[at] ?? {};
  return text ? [{ name: text, local: '', line }] : [];
}

/** `{ a, b as c }`, or the pattern `{ a, b: c }`. With `from` behind it, it is a re-export. */
function listAt(tokens, open, renames = 'as') {
  const close = tokens.findIndex((token, index) => index > open && token.text === '}');
  if (tokens[close + 1]?.text === 'from') return [];
  const found = [];
  let item = [];
  for (const token of tokens.slice(open + 1, close + 1)) {
    if (token.text === ',' || token.text === '}') {
      const words = item.filter(({ text }) => text !== 'type' && text !== renames);
      const last = words.at(-1);
      if (last)
        found.push({ name: last.text, local: renames === 'as' ? words[0].text : '', line: last.line });
      item = [];
    } else item.push(token);
  }
  return found;
}

/** Local names that come from an import: to export them again is a re-export. */
function importedBy(tokens) {
  const names = new Set();
  tokens.forEach((token, index) => {
    if (token.text !== 'import' || token.type !== 'name') return;
    for (let at = index + 1; at < tokens.length && tokens[at].type !== 'string'; at++) {
      if (tokens[at].text === '(' || tokens[at].text === ';') return;
      if (tokens[at].type === 'name') names.add(tokens[at].text);
    }
  });
  return names;
}
