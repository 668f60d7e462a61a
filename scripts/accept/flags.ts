import { flagsOf, UsageError } from '../command';
import type { Wish } from './check';

/** As the stage configuration has it. */
const STAGE_NAME = /^[a-z][a-z0-9-]{0,11}$/;

export const USAGE = `Proves that a deployment does what it promises. See docs/accept.md.

  npm run accept -- --stage dev [flags]        a deployment in AWS, with the credentials of your environment
  npm run accept -- --url URL [flags]          a local run of this checkout
  npm run accept -- --stage dev --preflight    the account, before a first deployment

  --stage NAME      the stage; its stack is Quarterjack-<stage>
  --url URL         URL of a local run
  --preflight       only what can be known before a deployment; needs a synthesized stage
  --redeploy        destroys the stage with ALL OF ITS DATA, and deploys it again; removal has to be destroy
  --bill            only the bill of yesterday, beside docs/cost.md
  --token TOKEN     a token with jobs:read and jobs:write, for the front door; or QUARTERJACK_TOKEN
  --id-token TOKEN  an ID token, which the front door has to refuse
  --disturb         also checks that stop the deployment, and that set off an alarm
  --change          also deploys: the same, more shards, the commit before, and back
  --long            also checks that take hours
  --memory LIST     also deploys executors of these megabytes, and measures them: 256,512,1024,1769
  --only STEP       one step; may be repeated
  --report DIR      folder for accept-<time>.json and accept-<time>.md (default: .quarterjack/accept)
  --list            print all checks, make none
  --help            print this help

Exit codes: 0 no promise is broken, 1 one is, 2 wrong flags or no deployment.
`;

export interface Flags {
  mode: 'help' | 'list' | 'preflight' | 'bill' | 'redeploy' | 'accept';
  stage: string | undefined;
  url: string | undefined;
  token: string | undefined;
  idToken: string | undefined;
  wishes: ReadonlySet<Wish>;
  /** Megabytes. */
  memorySizes: readonly number[];
  only: readonly string[];
  report: string;
}

const OPTIONS = {
  stage: { type: 'string' },
  url: { type: 'string' },
  preflight: { type: 'boolean', default: false },
  bill: { type: 'boolean', default: false },
  redeploy: { type: 'boolean', default: false },
  memory: { type: 'string' },
  token: { type: 'string' },
  'id-token': { type: 'string' },
  disturb: { type: 'boolean', default: false },
  change: { type: 'boolean', default: false },
  long: { type: 'boolean', default: false },
  only: { type: 'string', multiple: true },
  report: { type: 'string', default: '.quarterjack/accept' },
  list: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/** Parses the command line. Throws a `UsageError` that names the flag, its value and what is allowed. */
export function parseFlags(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  steps: readonly string[],
): Flags {
  const values = parse(args);
  const { stage, url, only = [], report } = values;
  const mode = modeOf(values);
  if (mode === 'accept' && (stage === undefined) === (url === undefined))
    throw new UsageError('expected either --stage, for a deployment in AWS, or --url, for a local run');
  if (mode !== 'help' && mode !== 'list' && mode !== 'accept' && stage === undefined)
    throw new UsageError(`--${mode} needs --stage`);
  if (stage !== undefined && !STAGE_NAME.test(stage))
    throw new UsageError(`--stage is ${JSON.stringify(stage)}; expected the name of a file in config/`);
  for (const name of only)
    if (!steps.includes(name))
      throw new UsageError(`--only is ${JSON.stringify(name)}; expected one of ${steps.join(', ')}`);
  const token = values.token ?? (env.QUARTERJACK_TOKEN || undefined);
  const idToken = values['id-token'];
  const wishes = new Set<Wish>();
  for (const wish of ['disturb', 'change', 'long'] as const) if (values[wish]) wishes.add(wish);
  if (token !== undefined) wishes.add('token');
  if (idToken !== undefined) wishes.add('id-token');
  const memorySizes = values.memory === undefined ? [] : memoryOf(values.memory);
  if (memorySizes.length > 0) wishes.add('memory');
  return { mode, stage, url, token, idToken, wishes, memorySizes, only, report };
}

/** As Lambda takes them. */
function memoryOf(list: string): number[] {
  return list.split(',').map((text) => {
    const megabytes = Number(text);
    if (!Number.isInteger(megabytes) || megabytes < 128 || megabytes > 10_240)
      throw new UsageError(`--memory has ${JSON.stringify(text)}; expected whole numbers from 128 to 10240`);
    return megabytes;
  });
}

function modeOf({ help, list, ...modes }: ReturnType<typeof parse>): Flags['mode'] {
  if (help) return 'help';
  if (list) return 'list';
  const [mode = 'accept', other] = (['preflight', 'bill', 'redeploy'] as const).filter((one) => modes[one]);
  if (other) throw new UsageError(`--${mode} and --${other} exclude each other`);
  return mode;
}

const parse = (args: readonly string[]) => flagsOf(args, OPTIONS);
