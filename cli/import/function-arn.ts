import { Unmapped } from './json';

/** Where a function is that is not named by a whole ARN. */
interface Home {
  partition: string;
  region: string;
  account: string;
}

const NAME = '([A-Za-z0-9_-]{1,64})(?::([A-Za-z0-9_$-]{1,128}))?';
const WHOLE = new RegExp(`^(arn:aws[a-z-]*:lambda:[a-z0-9-]+:\\d{12}):function:${NAME}$`);
/** Lambda also reads `<account>:<name>` and `function:<name>`, which look like a name and its alias. */
const PARTIAL = new RegExp(`^(?:(\\d{12}):function:)?(?!\\d{12}:|function:)${NAME}$`);

export const isFunctionArn = (text: string): boolean => WHOLE.test(text);

/**
 * The ARN of a function, or of the version or alias of it that is named with it or apart from it. With
 * `home`, a name and `<account>:function:<name>` are completed. Throws `Unmapped` if it is not exactly known.
 */
export function functionArnOf(given: string, qualifier: string | undefined, home?: Home): string {
  const [, start, name, own] = WHOLE.exec(given) ?? (home && completed(given, home)) ?? [];
  const both = own !== undefined && qualifier !== undefined && own !== qualifier;
  const arn = [start, 'function', name, own ?? qualifier].filter((part) => part !== undefined).join(':');
  if (!both && isFunctionArn(arn)) return arn;
  const shown = JSON.stringify(qualifier === undefined ? given : `${given}:${qualifier}`);
  throw new Unmapped(`the function ${shown} is not a whole ARN of a function`);
}

/** The parts of a name, as those of a whole ARN. */
function completed(given: string, { partition, region, account: own }: Home): (string | undefined)[] {
  const [, account = own, ...rest] = PARTIAL.exec(given) ?? [];
  return [given, `arn:${partition}:lambda:${region}:${account}`, ...rest];
}
