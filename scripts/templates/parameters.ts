// The parameters of templates that are deployed without the CDK.

import { LOG_RETENTION_DAYS } from '../../lib/config/stage-config';

/**
 * A parameter as CloudFormation declares it. The script that deploys checks values by it: patterns are
 * extended regular expressions of POSIX, and no text has a quote or a backslash.
 */
interface Declaration {
  readonly Type: 'String' | 'Number';
  readonly Description: string;
  readonly Default?: string | number;
  readonly AllowedPattern?: string;
  readonly AllowedValues?: readonly number[];
  readonly ConstraintDescription?: string;
  readonly MinLength?: number;
  readonly MaxLength?: number;
}

interface Parameter {
  readonly declaration: Declaration;
  /**
   * The text that a synthesis has in its place. A configuration is literal, and is checked: a reference would
   * be no address of mail.
   */
  readonly placeholder: string;
}

const IN_NAME = '[A-Za-z0-9_-]';
/** Those that differ from the letters of `quarterjack`, one after the other. */
const NOT_Q = '[A-Za-pr-z0-9_-]';
const NOT_U = '[A-Za-tv-z0-9_-]';
const NOT_A = '[A-Zb-z0-9_-]';

const COMMON = {
  AssetsBucket: {
    placeholder: 'bucket-of-the-assets',
    declaration: {
      Type: 'String',
      Description: 'S3 bucket, in the region of the stack, that holds the code of the functions',
      AllowedPattern: '[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]',
      ConstraintDescription: 'expected the name of a bucket, with small letters, digits, dots and hyphens',
    },
  },
  AssetsPrefix: {
    placeholder: 'prefix-of-the-assets/',
    declaration: {
      Type: 'String',
      Description: 'What the keys of the code begin with in that bucket',
      Default: 'quarterjack/',
      AllowedPattern: '([A-Za-z0-9_.-]+/){0,8}',
      ConstraintDescription: 'expected up to 8 names of letters, digits and _.- that each end with a slash',
      MaxLength: 200,
    },
  },
  AlarmEmail: {
    placeholder: 'alarms@placeholder.invalid',
    declaration: {
      Type: 'String',
      Description: 'Address that gets the alarms; its owner confirms the subscription by a link in a mail',
      AllowedPattern: '[^@ ]+@[^@ ]+[.][^@ ]+',
      ConstraintDescription: 'expected an address of mail',
      MaxLength: 254,
    },
  },
  AllowedFunctionPrefix: {
    placeholder: 'prefix-of-allowed-functions',
    declaration: {
      Type: 'String',
      Description:
        'Jobs may call the Lambda functions of this account and region whose names begin with this',
      Default: 'jobs-',
      // A shorter beginning of `quarterjack` would name the functions of the stack, too.
      AllowedPattern: `(${NOT_Q}${IN_NAME}{2}|q${NOT_U}${IN_NAME}|qu${NOT_A})${IN_NAME}*`,
      ConstraintDescription:
        'expected letters, digits, _ and -, not beginning with qua, as the functions of the stack do',
      MinLength: 3,
      MaxLength: 40,
    },
  },
} as const satisfies Record<string, Parameter>;

const OF_ISSUER = {
  Issuer: {
    placeholder: 'https://issuer.placeholder.invalid/',
    declaration: {
      Type: 'String',
      Description:
        'OIDC issuer whose tokens are accepted (RS256 or ES256), exactly as their claim iss has it',
      AllowedPattern: 'https://[A-Za-z0-9._~:/%-]+',
      ConstraintDescription: 'expected an https URL without a query',
      MaxLength: 500,
    },
  },
  Audience: {
    placeholder: 'audience-of-the-tokens',
    declaration: {
      Type: 'String',
      Description: 'The claim aud that a token has to have',
      AllowedPattern: '[A-Za-z0-9._~:/@+-]+',
      ConstraintDescription: 'expected letters, digits and ._~:/@+-',
      MaxLength: 200,
    },
  },
} as const satisfies Record<string, Parameter>;

/** The placeholders by the names of their parameters. */
export const PLACEHOLDERS = Object.fromEntries(
  Object.entries({ ...COMMON, ...OF_ISSUER }).map(([name, { placeholder }]) => [name, placeholder]),
) as Record<keyof typeof COMMON | keyof typeof OF_ISSUER, string>;

const LOG_RETENTION = 'LogRetentionDays';
const LOG_GROUP = 'AWS::Logs::LogGroup';

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
type Fragment = string | { Ref: string };

export interface PlainTemplate {
  Parameters?: Record<string, Declaration>;
  Resources: Record<string, { Type: string; Properties?: Record<string, Json> }>;
  Outputs?: Record<string, { Value: Json }>;
}

/**
 * A synthesized template with references to parameters in place of placeholders. Throws an Error for a
 * parameter that nothing refers to.
 */
export function withParameters(template: PlainTemplate, ownIssuer: boolean): PlainTemplate {
  const parameters: Record<string, Parameter> = ownIssuer ? { ...COMMON, ...OF_ISSUER } : COMMON;
  const used = new Set<string>();
  const placed = place(template as unknown as Json, parameters, used) as unknown as PlainTemplate;
  const unused = Object.keys(parameters).filter((name) => !used.has(name));
  if (unused.length > 0) throw new Error(`the template does not use the parameters ${unused.join(', ')}`);
  for (const { Type, Properties } of Object.values(placed.Resources))
    if (Type === LOG_GROUP && Properties) Properties.RetentionInDays = { Ref: LOG_RETENTION };
  const declared = Object.entries(parameters).map(([name, { declaration }]) => [name, declaration]);
  const logs = { Description: 'Days that logs are kept', AllowedValues: LOG_RETENTION_DAYS };
  return {
    ...placed,
    Parameters: {
      ...Object.fromEntries(declared),
      [LOG_RETENTION]: { Type: 'Number', ...logs, Default: 14 },
    } as Record<string, Declaration>,
  };
}

/** Replaces placeholders in all texts below a value. */
function place(value: Json, parameters: Record<string, Parameter>, used: Set<string>): Json {
  if (typeof value === 'string') return joined(fragmentsOf(value, parameters, used));
  if (Array.isArray(value)) return value.map((item) => place(item, parameters, used));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, place(item, parameters, used)]));
}

function fragmentsOf(text: string, parameters: Record<string, Parameter>, used: Set<string>): Fragment[] {
  const found = Object.entries(parameters).find(([, { placeholder }]) => text.includes(placeholder));
  if (!found) return text === '' ? [] : [text];
  const [name, { placeholder }] = found;
  used.add(name);
  return text
    .split(placeholder)
    .flatMap((part, index): Fragment[] => [
      ...(index > 0 ? [{ Ref: name }] : []),
      ...fragmentsOf(part, parameters, used),
    ]);
}

const joined = (fragments: Fragment[]): Json => {
  const [only = ''] = fragments;
  return fragments.length < 2 ? only : { 'Fn::Join': ['', fragments] };
};
