import { argumentsOf, FILTERS } from './filters/filters';
import type { Filter } from './filters/filter';
import { isObject } from './filters/filter';
import { parseTemplate } from './parse';
import type { Roots } from './roots';
import { suggestionFor } from '../contracts/suggestion';
import type { Argument, Expression, FilterCall, Json, Part, Path, SecretReference } from './syntax';
import { SECRETS } from './syntax';
import { shown, TemplateError } from './template-error';

/** A fault of a template: the dotted path of its text, and what is wrong. */
export interface TemplateFault {
  path: string;
  message: string;
}

export interface CheckRules {
  roots: Roots;
  /** The names of the secrets that may stand here. Absent: no secret may. */
  secrets?: ReadonlySet<string>;
}

/** More faults than these would not help, and each costs a comparison of names. */
const MAX_FAULTS = 20;

/** The faults of all templates in a JSON value, at most 20. Texts are templates; keys are not. */
export function faultsIn(value: Json, path: string, rules: CheckRules): TemplateFault[] {
  const faults: TemplateFault[] = [];
  const visit = (inner: Json, at: string): void => {
    if (faults.length >= MAX_FAULTS) return;
    if (typeof inner === 'string')
      faults.push(...faultsOfText(inner, rules).map((message) => ({ path: at, message })));
    else if (Array.isArray(inner)) inner.forEach((item: Json, index) => visit(item, `${at}.${index}`));
    else if (isObject(inner)) for (const [key, item] of Object.entries(inner)) visit(item, `${at}.${key}`);
  };
  visit(value, path);
  return faults.slice(0, MAX_FAULTS);
}

/** What is wrong with a text; each message names its expression. */
export function faultsOfText(text: string, rules: CheckRules): string[] {
  try {
    return parseTemplate(text).flatMap((part) => faultsOfPart(part, rules));
  } catch (error) {
    if (error instanceof TemplateError) return [error.message];
    throw error;
  }
}

/** What is wrong with one part of a parsed text. */
export function faultsOfPart(part: Part, rules: CheckRules): string[] {
  if (typeof part === 'string') return [];
  const faults = part.kind === 'secret' ? faultsOfSecret(part, rules) : faultsOf(part, rules);
  return faults.map((fault) => `{{ ${part.text} }}: ${fault}`);
}

function faultsOfSecret({ name }: SecretReference, { secrets }: CheckRules): string[] {
  if (!secrets) return ['no secret may stand here'];
  return secrets.has(name) ? [] : [`there is no secret ${shown(name)}`];
}

const faultsOf = ({ path, filters }: Expression, rules: CheckRules): string[] => [
  ...faultsOfPath(path, rules),
  ...filters.flatMap((call) => faultsOfFilter(call, rules)),
];

function faultsOfPath({ root, steps }: Path, { roots, secrets }: CheckRules): string[] {
  const known = roots.get(root);
  if (known) return [known.faultOf(steps)].filter((fault) => fault !== undefined);
  const names = [...roots.keys(), ...(secrets ? [SECRETS] : [])];
  return [`there is no ${shown(root)}${suggestionFor(root, names)}`];
}

function faultsOfFilter({ name, args }: FilterCall, rules: CheckRules): string[] {
  const filter = FILTERS.get(name);
  if (!filter) return [`there is no filter ${shown(name)}${suggestionFor(name, [...FILTERS.keys()])}`];
  const { least, most } = argumentsOf(filter);
  if (args.length < least || args.length > most) {
    const allowed = least === most ? String(least) : `${least} or ${most}`;
    return [`${name} takes ${allowed} argument${allowed === '1' ? '' : 's'}, not ${args.length}`];
  }
  return args.flatMap((arg, index) => faultsOfArgument(arg, index, name, filter, rules));
}

function faultsOfArgument(
  arg: Argument,
  index: number,
  name: string,
  filter: Filter,
  rules: CheckRules,
): string[] {
  if (arg.kind === 'path') return faultsOfPath(arg, rules);
  try {
    filter.parameters[index]!.read(arg.value);
    return [];
  } catch (error) {
    if (error instanceof TemplateError) return [`argument ${index + 1} of ${name}: ${error.message}`];
    throw error;
  }
}
