import { isObject } from '../../is-object';
import { Unmapped, type Json, neededText, objectIn, objectsIn, textIn, textsIn } from '../json';
import { shellQuoted } from '../work-command';

/** What a container runs. */
interface Command {
  command: string;
  env: Record<string, string>;
  notes: string[];
}

/** A name that a worker may set, and that means the same to it. */
const VARIABLE = /^[A-Za-z_]\w*$/;
/** What a worker sets itself. */
const OF_WORKER = /^(?:USER|LOGNAME|QUARTERJACK_\w+)$/;
const SECRET = /PASS(?:WORD|WD|PHRASE)?(?:_|$)|SECRET|TOKEN|CREDENTIAL|(?:API|ACCESS|PRIVATE)_?KEY/i;
/** What the cluster sets for each of its services. */
const OF_CLUSTER = /_(?:SERVICE_(?:HOST|PORT\w*)|PORT(?:_\w+)?)$/;

/** The command of a container, with its arguments, as a line that a worker runs. */
export function commandOf(container: Json): Command {
  const image = textIn(container, 'image');
  const variables = variablesOf(container);
  if (container.command === undefined)
    throw new Unmapped(
      `it runs what the image ${image ?? ''} begins with, which the manifest does not say: give the container a command`,
    );
  const [file, ...args] = [
    ...textsIn(container, 'command'),
    ...(container.args === undefined ? [] : textsIn(container, 'args')),
  ].map((word) => variables.expanded(word, 'its command'));
  if (file === undefined) throw new Unmapped('container.command is empty');
  const line = [file, ...args].map((word) => shellQuoted(word)).join(' ');
  const dir = textIn(container, 'workingDir');
  return {
    command: dir === undefined ? line : `cd ${shellQuoted(dir)} && exec ${line}`,
    env: variables.env,
    notes: [
      ...(image === undefined ? [] : [`the worker’s machine needs what the image ${image} has`]),
      ...variables.notes,
    ],
  };
}

interface Variables {
  env: Record<string, string>;
  notes: string[];
  /** With the values of `$(NAME)`. */
  expanded(text: string, where: string): string;
}

function variablesOf(container: Json): Variables {
  const values = new Map<string, string>();
  const foreign = new Map<string, string>();
  const notes = objectsIn(container, 'envFrom').map(
    (source) =>
      `not imported: all variables of ${sourceOf(source)}: set them in a script on the worker’s machine`,
  );
  const hasForeign = notes.length > 0;
  const expanded = (text: string, where: string): string =>
    text.replace(/\$(?:(\$)|\(([^)]*)\))/g, (whole, escaped: string | undefined, name: string) => {
      if (escaped !== undefined) return '$';
      const value = values.get(name);
      if (value !== undefined) return value;
      if (foreign.has(name) || OF_CLUSTER.test(name) || (hasForeign && /^[A-Z][A-Z\d_]*$/.test(name)))
        throw new Unmapped(`${where} has $(${name}), whose value is not in the manifest`);
      return whole;
    });
  for (const variable of objectsIn(container, 'env')) {
    const name = neededText(variable, 'name');
    const unknown = Object.keys(variable).find((field) => !['name', 'value', 'valueFrom'].includes(field));
    if (unknown !== undefined) throw new Unmapped(`env ${name} has ${unknown}, which is unknown`);
    const from = objectIn(variable, 'valueFrom');
    values.delete(name);
    foreign.delete(name);
    if (from === undefined) values.set(name, expanded(literalOf(name, variable), `env ${name}`));
    else foreign.set(name, sourceOf(from));
  }
  for (const [name, source] of foreign)
    notes.push(`not imported: env ${name}, from ${source}: set it in a script on the worker’s machine`);
  const { env, ...named } = takenBy(values);
  return { env, notes: [...notes, ...named.notes], expanded };
}

function literalOf(name: string, { value = '' }: Json): string {
  if (typeof value === 'string') return value;
  throw new Unmapped(`env ${name} is ${JSON.stringify(value)}, and no text: put it in quotes`);
}

/** The variables that a worker sets. */
function takenBy(values: ReadonlyMap<string, string>): { env: Record<string, string>; notes: string[] } {
  const env: Record<string, string> = {};
  const notes: string[] = [];
  for (const [name, value] of values) {
    if (OF_WORKER.test(name)) notes.push(`not imported: env ${name}: a worker sets it itself`);
    else if (VARIABLE.test(name)) env[name] = value;
    else throw new Unmapped(`env ${name} is no name that a worker sets: letters, digits and _ alone`);
  }
  const secret = Object.keys(env).filter((name) => SECRET.test(name) && env[name] !== '');
  if (secret.length > 0)
    notes.push(`env ${secret.join(', ')} is stored in readable form: replace it before you apply`);
  return { env, notes };
}

const KINDS: Record<string, string> = {
  secretKeyRef: 'Secret',
  configMapKeyRef: 'ConfigMap',
  secretRef: 'Secret',
  configMapRef: 'ConfigMap',
};

/** `key url of the Secret db`. Never its value: a manifest has none. */
function sourceOf(source: Json): string {
  const [kind = 'an unknown source', ref] = Object.entries(source).find(([, value]) => isObject(value)) ?? [];
  const { name, key, fieldPath, resource } = (ref ?? {}) as Record<string, unknown>;
  const text = (value: unknown): string => (typeof value === 'string' ? value : '?');
  if (KINDS[kind] === undefined) return `${kind} ${text(fieldPath ?? resource ?? key)}`;
  return `${key === undefined ? '' : `key ${text(key)} of `}the ${KINDS[kind]} ${text(name)}`;
}
