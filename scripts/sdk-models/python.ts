import { type Field, HEAD, linesOf, type Model, type Type } from './models';

const WIDTH = 100;
/** What no class body can have as a name: those fields are written as a call. */
const KEYWORDS = new Set([
  'and',
  'as',
  'assert',
  'async',
  'await',
  'break',
  'class',
  'continue',
  'def',
  'del',
  'elif',
  'else',
  'except',
  'finally',
  'for',
  'from',
  'global',
  'if',
  'import',
  'in',
  'is',
  'lambda',
  'nonlocal',
  'not',
  'or',
  'pass',
  'raise',
  'return',
  'try',
  'while',
  'with',
  'yield',
]);

/**
 * `_models.py`: what the API takes and gives, as dictionaries with types. Python 3.10 has no `NotRequired`,
 * so what is required stands in a class of its own.
 */
export function pythonModels(models: readonly Model[]): string {
  const names = models.map(({ name }) => `    ${JSON.stringify(name)},\n`).join('');
  const head = [
    `# ${HEAD}`,
    '"""What the API takes and gives: dictionaries with the fields of its JSON.',
    '',
    'They have types for editors and type checkers alone. Fields and values that a newer',
    'server adds stay in them.',
    '"""',
    '',
    'from __future__ import annotations',
    '',
    'from typing import Any, Dict, List, Literal, Optional, TypedDict, Union',
    '',
    `__all__ = [\n${names}]`,
  ];
  return `${[head.join('\n'), ...models.map(modelText)].join('\n\n\n')}\n`;
}

function modelText(model: Model): string {
  if (model.is === 'alias') return `${comment(model.doc, '')}${model.name} = ${typeText(model.of, true)}`;
  if (model.is === 'object') return objectText(model);
  const all = [...model.of.map((name) => `"${name}"`), ...(model.orText ? ['str'] : [])];
  return `${comment(model.doc, '')}${model.name} = Union[${all.join(', ')}]`;
}

function objectText({ name, doc, fields }: Model & { is: 'object' }): string {
  const required = fields.filter(({ isRequired }) => isRequired);
  const optional = fields.filter(({ isRequired }) => !isRequired);
  const parts: string[] = [];
  const bases: string[] = [];
  const called = (part: string, all: readonly Field[], total: boolean) => {
    if (all.length === 0) return;
    parts.push(callText(part, all, total));
    bases.push(part);
  };
  const isKeyword = (field: Field) => KEYWORDS.has(field.name);
  called(`_${name}Words`, optional.filter(isKeyword), false);
  called(`_${name}RequiredWords`, required.filter(isKeyword), true);
  const plain = required.filter((field) => !isKeyword(field));
  const others = optional.filter((field) => !isKeyword(field));
  if (plain.length > 0 && others.length > 0) {
    parts.push(classText(`_${name}Required`, bases, true, undefined, plain));
    bases.splice(0, bases.length, `_${name}Required`);
  }
  const own = others.length > 0 ? others : plain;
  parts.push(classText(name, bases, others.length === 0, doc, own));
  return parts.join('\n\n\n');
}

function classText(
  name: string,
  bases: readonly string[],
  total: boolean,
  doc: string | undefined,
  fields: readonly Field[],
): string {
  const given = [...(bases.length > 0 ? bases : ['TypedDict']), ...(total ? [] : ['total=False'])];
  const body = fields.map(
    (field) => `${comment(field.doc, '    ')}    ${field.name}: ${typeText(field.type, false)}`,
  );
  const docs = doc === undefined ? [] : [docstring(doc)];
  return [
    `class ${name}(${given.join(', ')}):`,
    ...docs,
    ...(body.length > 0 ? body : docs.length > 0 ? [] : ['    pass']),
  ].join('\n');
}

const callText = (name: string, fields: readonly Field[], total: boolean): string =>
  [
    `${name} = TypedDict(`,
    `    "${name}",`,
    '    {',
    ...fields.map(
      (field) => `${comment(field.doc, '        ')}        "${field.name}": ${quoted(field.type)},`,
    ),
    '    },',
    ...(total ? [] : ['    total=False,']),
    ')',
  ].join('\n');

/** An expression that is evaluated, so names of models stand in quotes. */
const quoted = (type: Type): string => typeText(type, true);

function docstring(doc: string): string {
  const lines = linesOf(doc.replaceAll('\\', '\\\\').replaceAll('"""', "'''"), WIDTH - 10);
  if (lines.length === 1) return `    """${lines[0]}"""\n`;
  return `    """${lines[0]}\n${lines
    .slice(1)
    .map((line) => `    ${line}`)
    .join('\n')}\n    """\n`;
}

const comment = (doc: string | undefined, indent: string): string =>
  doc === undefined
    ? ''
    : linesOf(doc, WIDTH - indent.length - 2)
        .map((line) => `${indent}# ${line}\n`)
        .join('');

function typeText(type: Type, isEvaluated: boolean): string {
  const of = (one: Type) => typeText(one, isEvaluated);
  switch (type.is) {
    case 'any':
      return 'Any';
    case 'boolean':
      return 'bool';
    case 'integer':
      return 'int';
    case 'number':
      return 'float';
    case 'text':
      return type.values ? `Literal[${type.values.map((one) => JSON.stringify(one)).join(', ')}]` : 'str';
    case 'list':
      return `List[${of(type.of)}]`;
    case 'map':
      return `Dict[str, ${of(type.of)}]`;
    case 'nullable':
      return `Optional[${of(type.of)}]`;
    case 'either':
      return `Union[${type.of.map(of).join(', ')}]`;
    case 'model':
      return isEvaluated ? `"${type.name}"` : type.name;
  }
}
