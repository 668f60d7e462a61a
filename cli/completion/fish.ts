import { flagsWithValue, groupsOf, type FlagNode, type Node } from './tree';

/** The completion script for fish. */
export const fishScript = (tree: readonly Node[]): string => `# quarterjack completion for fish
function __quarterjack_at
    set -l at
    set -l skip 0
    for word in (commandline -opc)[2..]
        if test $skip = 1
            set skip 0
        else if contains -- $word ${flagsWithValue(tree).join(' ')}
            set skip 1
        else if not string match -q -- '-*' $word
            contains -- "$at" "" ${groupsOf(tree)
              .map((group) => `"${group}"`)
              .join(' ')}
            and set at (string trim -- "$at $word")
        end
    end
    test "$at" = "$argv[1]"
end
function __quarterjack_ids
    set -l word (commandline -ct)
    quarterjack complete -- (commandline -opc)[2..] "$word" 2>/dev/null
end
complete -c quarterjack -f
${tree.flatMap(linesOf).join('\n')}
`;

function linesOf({ path, commands, options, argument, takesIds }: Node): string[] {
  const line = (rest: string) => `complete -c quarterjack -n '__quarterjack_at "${path}"' ${rest}`;
  return [
    ...commands.map(({ name, description }) => line(`-a ${name} -d ${quoted(description)}`)),
    ...(argument?.isFile ? [line('-F')] : []),
    ...(argument && argument.choices.length > 0 ? [line(`-a ${quoted(argument.choices.join(' '))}`)] : []),
    ...(takesIds ? [line("-a '(__quarterjack_ids)'")] : []),
    ...options.map((option) =>
      line(
        `-l ${option.flag.slice(2)}${option.short ? ` -s ${option.short.slice(1)}` : ''} -d ${quoted(option.description)}${valueOf(option)}`,
      ),
    ),
  ];
}

function valueOf({ takesValue, choices, isFile }: FlagNode): string {
  if (!takesValue) return '';
  if (isFile) return ' -r -F';
  return choices.length > 0 ? ` -x -a ${quoted(choices.join(' '))}` : ' -x';
}

const quoted = (text: string): string => `'${text.replace(/\\/g, '\\\\').replace(/'/g, "\\'")}'`;
