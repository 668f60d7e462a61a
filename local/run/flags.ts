import { parseArgs } from 'node:util';

import { DEFAULT_DATA_DIR, IS_CHECKOUT } from '../machine/paths';
import { LocalRunError, messageOf } from './errors';
import { parseTaskScript } from '../services/ecs/scripts';
import { workScriptParser } from '../services/works/scripts';
import { parseDurableScript, parseScript } from '../services/step-functions/scripts';
import { parseApiUrl, parsePrivateHost } from './targets-beside';
import { parseTo } from './what-to-paste';
import type { StartOptions } from '../start';

/** What the command line says. */
export interface Flags extends StartOptions {
  /** Open the console in a browser. */
  open: boolean;
  /** Print how to connect as one line of JSON. */
  json: boolean;
  /** Print nothing else but errors. */
  quiet: boolean;
  /** The program that jobs call: print what it needs. */
  to: string | undefined;
}

/** How the program is started, and how to get a token. */
export const COMMANDS = IS_CHECKOUT
  ? { start: 'npm start --', token: 'npm run --silent token --' }
  : { start: 'npx @quarterjack/cli dev', token: 'npx @quarterjack/cli token' };

export const USAGE = `Runs the synthesized stack on this machine.

  ${COMMANDS.start} [flags]
  npx @quarterjack/cli dev MODULE [flags]  also serves the jobs of a module; see npx @quarterjack/cli help dev

  --port N           port of the HTTP API on 127.0.0.1; 0 for any free port (default 8787)
  --host ADDRESS     address to listen on: 127.0.0.1 or, in a container, 0.0.0.0 (default 127.0.0.1)
  --private-host HOST  let targets be on this host too, by http: a name or an IPv4 address; may be repeated
  --api-url URL      URL of this run as such hosts reach it; targets of mode async report there
  --data DIR         directory for the data that survives a restart (default .quarterjack/data)
  --ephemeral        keep no data after the run
  --strict-targets   use the target policy of a deployed stack: https to public addresses only
  --projects FROM    where projects come from: sub, groups or claim:<name> (default sub)
  --assembly DIR     run this cloud assembly instead of synthesizing one
  --executors N      executors that each priority may have while the processors have room, 2 to 256
                     (default: as the stage says, at most 16)
  --aws-http         let functions call AWS services by HTTP, in place of messages between threads
  --otlp URL         record all traces, and send spans to a collector, such as http://127.0.0.1:4318
  --export DIR       write a line about each execution that has ended into files of this folder
  --lambda-ramp      start the batches of an idle queue as Lambda does: five, then 300 more a minute
  --state-machine NAME=DURATION[,END...]  how executions of a state machine go, such as
                     nightly=20s,failed,succeeded; * for all others; may be repeated (default *=5s,succeeded)
  --durable NAME=DURATION[,END...]  the same for durable functions, by the name of the function
  --ecs-task FAMILY=DURATION[,END...]  how tasks of ECS go, such as report=20s,exit-1,exit-0; also spot,
                     no-start and no-room; * for all others; may be repeated (default *=5s,exit-0)
  --batch-job NAME=DURATION[,END...]  the same for jobs of Batch, by their definition: exit-0 to exit-255, host-gone
  --glue-job NAME=DURATION[,END...]  for runs of Glue jobs: succeeded, failed, timeout, error, no-room
  --codebuild NAME=DURATION[,END...]  for builds: succeeded, failed, fault, timed-out, no-room
  --open             open the console in a browser
  --to URL           print what the program at this URL needs, and a job that calls it
  --json             print one line of JSON first: url, consoleUrl, token, secret and target
  --quiet            print nothing else but errors
  --verbose          print the output of the functions
  --help             print this help
`;

/** This machine alone, or all addresses of a container. */
const HOSTS: readonly string[] = ['127.0.0.1', '0.0.0.0'];

/** Parses the command line; undefined for `--help`. Throws a `LocalRunError` that names the invalid flag. */
export function parseFlags(args: string[]): Flags | undefined {
  const { values } = parse(args);
  if (values.help) return undefined;
  if (values.ephemeral && values.data !== undefined)
    throw new LocalRunError('--data and --ephemeral cannot be combined');
  if (values.assembly !== undefined && values['strict-targets'])
    throw new LocalRunError('--strict-targets has no effect on --assembly, whose target policy is fixed');
  if (values['private-host'].length > 0 && values['strict-targets'])
    throw new LocalRunError('--private-host and --strict-targets cannot be combined');
  if (values.assembly !== undefined && values.projects !== undefined)
    throw new LocalRunError('--projects has no effect on --assembly, whose projects are fixed');
  if (values.projects !== undefined && !/^(?:sub|groups|claim:\S{1,128})$/.test(values.projects))
    throw new LocalRunError(
      `--projects is ${JSON.stringify(values.projects)}; expected sub, groups or claim:<name>`,
    );
  if (!HOSTS.includes(values.host))
    throw new LocalRunError(`--host is ${JSON.stringify(values.host)}; expected ${HOSTS.join(' or ')}`);
  if (values.assembly !== undefined && values.executors !== undefined)
    throw new LocalRunError('--executors has no effect on --assembly, whose executors are fixed');
  return {
    port: numberOf('--port', values.port, 0, 65_535),
    host: values.host,
    privateHosts: values['private-host'].map(parsePrivateHost),
    apiUrl: values['api-url'] === undefined ? undefined : parseApiUrl(values['api-url']),
    dataDir: values.ephemeral ? undefined : (values.data ?? DEFAULT_DATA_DIR),
    strictTargets: values['strict-targets'],
    projects: values.projects,
    assembly: values.assembly,
    executors: values.executors === undefined ? undefined : numberOf('--executors', values.executors, 2, 256),
    otlp: values.otlp === undefined ? undefined : parseOtlp(values.otlp),
    exportTo: values.export,
    verbose: values.verbose,
    awsHttp: values['aws-http'],
    lambdaRamp: values['lambda-ramp'],
    stateMachines: values['state-machine'].map(parseScript),
    durableFunctions: values.durable.map(parseDurableScript),
    ecsTasks: values['ecs-task'].map(parseTaskScript),
    batchJobs: values['batch-job'].map(workScriptParser('batch')),
    glueJobs: values['glue-job'].map(workScriptParser('glue')),
    builds: values.codebuild.map(workScriptParser('codebuild')),
    open: values.open,
    json: values.json,
    quiet: values.quiet,
    to: values.to === undefined ? undefined : parseTo(values.to),
  };
}

function parseOtlp(text: string): string {
  if (/^https?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/.test(text)) return text.replace(/\/$/, '');
  throw new LocalRunError(
    `--otlp is ${JSON.stringify(text)}; expected the base URL of a collector, such as http://127.0.0.1:4318`,
  );
}

function numberOf(flag: string, text: string, least: number, most: number): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number < least || number > most)
    throw new LocalRunError(`${flag} is ${JSON.stringify(text)}; expected a number from ${least} to ${most}`);
  return number;
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        port: { type: 'string', default: '8787' },
        host: { type: 'string', default: '127.0.0.1' },
        'private-host': { type: 'string', multiple: true, default: [] },
        'api-url': { type: 'string' },
        data: { type: 'string' },
        ephemeral: { type: 'boolean', default: false },
        'strict-targets': { type: 'boolean', default: false },
        projects: { type: 'string' },
        assembly: { type: 'string' },
        executors: { type: 'string' },
        otlp: { type: 'string' },
        export: { type: 'string' },
        'state-machine': { type: 'string', multiple: true, default: [] },
        durable: { type: 'string', multiple: true, default: [] },
        'ecs-task': { type: 'string', multiple: true, default: [] },
        'batch-job': { type: 'string', multiple: true, default: [] },
        'glue-job': { type: 'string', multiple: true, default: [] },
        codebuild: { type: 'string', multiple: true, default: [] },
        'aws-http': { type: 'boolean', default: false },
        'lambda-ramp': { type: 'boolean', default: false },
        open: { type: 'boolean', default: false },
        to: { type: 'string' },
        json: { type: 'boolean', default: false },
        quiet: { type: 'boolean', default: false },
        verbose: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (cause) {
    throw new LocalRunError(`${messageOf(cause).split('. ')[0]}; see --help`, { cause });
  }
}
