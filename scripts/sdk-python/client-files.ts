import { HEAD, linesOf } from '../sdk-models/models';
import { type Method, methodOf } from './method';
import { ELSEWHERE, type Named, OPERATIONS } from './operations';
import { type Document, type Route, routesOf } from './openapi';

const WIDTH = 108;

interface Group {
  /** `Jobs`, or `Routes` of the client itself. */
  name: string;
  /** `jobs`; undefined of the client itself. */
  attribute?: string;
  methods: Method[];
}

/** The generated files of the Python client: their paths in the checkout, and what they contain. */
export function pythonClientFiles(document: Document): Record<string, string> {
  const groups = groupsOf(document);
  return {
    'sdk/python/src/quarterjack/_api.py': syncText(groups),
    'sdk/python/src/quarterjack/_async_api.py': asyncText(groups),
  };
}

/** Throws for an operation that has no name, and for a name without an operation. */
function groupsOf(document: Document): Group[] {
  const routes = new Map(routesOf(document).map((route) => [route.operationId, route]));
  for (const id of routes.keys())
    if (!(id in OPERATIONS) && !(id in ELSEWHERE))
      throw new Error(`scripts/sdk-python/operations.ts: the operation ${id} has no name in Python`);
  const groups = new Map<string, Group>();
  for (const [id, given] of Object.entries(OPERATIONS)) {
    const route: Route | undefined = routes.get(id);
    if (!route) throw new Error(`scripts/sdk-python/operations.ts: there is no operation ${id}`);
    for (const named of [given].flat() as Named[]) {
      const [attribute] = named.as.includes('.') ? named.as.split('.') : [];
      const name = attribute === undefined ? 'Routes' : pascal(attribute);
      const group = groups.get(name) ?? { name, ...(attribute !== undefined && { attribute }), methods: [] };
      group.methods.push(methodOf(document, route, named));
      groups.set(name, group);
    }
  }
  return [...groups.values()];
}

const pascal = (name: string): string =>
  name
    .split('_')
    .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1))
    .join('');

const IMPORTS = [
  'from __future__ import annotations',
  '',
  'from builtins import list as list_',
  'from collections.abc import Mapping, Sequence',
  'from datetime import datetime',
  'from typing import TYPE_CHECKING, Any, Literal',
  '',
].join('\n');

const MODELS = `
if TYPE_CHECKING:
    from . import _models as models

    class JobWithEtag(models.Job):
        """A job, and the ETag of its state: pass it as \`\`if_match\`\` to change no other state."""

        etag: str
`;

function syncText(groups: readonly Group[]): string {
  const about = '"""The calls of the API in their groups, one method for each. `Quarterjack` has them."""';
  const given = `

def given(body: Mapping[str, object]) -> dict[str, object]:
    """Without what is None."""
    return {name: value for name, value in body.items() if value is not None}
`;
  const head = `# ${HEAD}\n${about}\n\n${IMPORTS}\nfrom ._connection import Api, Listing, segment\n${MODELS}${given}`;
  const own = groups.map((group) => classText(group, group.name, initText(group, groups, ''), syncMethod));
  return `${[head.trimEnd(), ...own].join('\n\n\n')}\n`;
}

function asyncText(groups: readonly Group[]): string {
  const about = [
    '"""The same calls for asyncio. Each runs the one of `_api` in a thread of the default executor.',
    '',
    'A call that is cancelled is left alone: its request may still take effect.',
    '"""',
  ].join('\n');
  const types = MODELS.replace(/\n {4}class [\s\S]*$/, '    from ._api import JobWithEtag\n');
  const head = `# ${HEAD}\n${about}\n\n${IMPORTS.replace('Mapping, ', '')}\nfrom . import _api\nfrom ._async import AsyncListing, in_thread\n${types}`;
  const own = groups.map((group) =>
    classText(group, `Async${group.name}`, initText(group, groups, 'Async'), asyncMethod),
  );
  return `${[head.trimEnd(), ...own].join('\n\n\n')}\n`;
}

const classText = (
  { methods, attribute }: Group,
  name: string,
  init: string,
  method: (one: Method) => string,
): string => {
  const about =
    attribute === undefined
      ? '    """What the client itself can do."""'
      : `    """\`\`quarterjack.${attribute}\`\`."""`;
  return [`class ${name}:`, about, '', [init, ...methods.map(method)].join('\n\n')].join('\n');
};

function initText({ attribute, name }: Group, groups: readonly Group[], kind: '' | 'Async'): string {
  const given = kind === '' ? 'api: Api' : `sync: _api.${name}`;
  const own = kind === '' ? ['        self._api = api'] : ['        self._sync = sync'];
  const members =
    attribute === undefined
      ? groups
          .filter((one) => one.attribute !== undefined)
          .map(
            (one) =>
              `        self.${one.attribute} = ${kind}${one.name}(${kind === '' ? 'api' : `sync.${one.attribute}`})`,
          )
      : [];
  return [`    def __init__(self, ${given}) -> None:`, ...own, ...members].join('\n');
}

const syncMethod = (method: Method): string =>
  [
    signature('def', method, method.result),
    docText(method.doc),
    method.result === 'None' ? wrapped('        ', method.call) : wrapped('        return ', method.call),
  ].join('\n');

function asyncMethod(method: Method): string {
  const { name, arguments: all, byPosition, result, isListing, doc } = method;
  const given = all.map((one, index) => (index < byPosition ? one.name : `${one.name}=${one.name}`));
  const called = [`self._sync.${name}`, ...given];
  const call = isListing
    ? `AsyncListing(self._sync.${name}(${given.join(', ')}))`
    : `await in_thread(${called.join(', ')})`;
  return [
    signature(isListing ? 'def' : 'async def', method, isListing ? `Async${result}` : result),
    docText(doc),
    result === 'None' ? wrapped('        ', call) : wrapped('        return ', call),
  ].join('\n');
}

/** Within a class that has a method \`list\`, the type of that name is another one. */
const typed = (text: string): string => text.replaceAll(/(?<![\w.])list\[/g, 'list_[');

function signature(word: string, { name, arguments: all, byPosition }: Method, result: string): string {
  const parts = all.map(
    (one) => `${one.name}: ${typed(one.type)}${one.default === undefined ? '' : ` = ${one.default}`}`,
  );
  const given = [
    'self',
    ...parts.slice(0, byPosition),
    ...(parts.length > byPosition ? ['*'] : []),
    ...parts.slice(byPosition),
  ];
  const line = `    ${word} ${name}(${given.join(', ')}) -> ${typed(result)}:`;
  if (line.length <= WIDTH) return line;
  return [
    `    ${word} ${name}(`,
    ...given.map((one) => `        ${one},`),
    `    ) -> ${typed(result)}:`,
  ].join('\n');
}

function docText(paragraphs: readonly string[]): string {
  const [first = '', ...rest] = paragraphs;
  const head = linesOf(first, WIDTH - 14);
  if (rest.length === 0 && head.length === 1) return `        """${first}"""`;
  const text = [head, ...rest.map((one) => linesOf(one, WIDTH - 8))];
  const lines = text.map((one) => one.map((line) => `        ${line}`).join('\n'));
  return `        """${lines.join('\n\n').trimStart()}\n        """`;
}

/** A call on one line, or its arguments on one line each. */
function wrapped(before: string, call: string): string {
  if (before.length + call.length <= WIDTH) return before + call;
  const open = call.indexOf('(');
  const end = call.lastIndexOf(')');
  const inner = call.slice(open + 1, end);
  return [
    before + call.slice(0, open + 1),
    ...argumentsIn(inner).map((one) => `            ${one},`),
    `        ${call.slice(end)}`,
  ].join('\n');
}

/** The arguments of a call: commas within brackets and texts do not part them. */
function argumentsIn(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if ('([{'.includes(character)) depth++;
    if (')]}'.includes(character)) depth--;
    if (character !== ',' || depth > 0) continue;
    parts.push(text.slice(from, at).trim());
    from = at + 1;
  }
  return [...parts, text.slice(from).trim()];
}
