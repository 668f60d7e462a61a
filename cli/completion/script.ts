import type { Node } from './tree';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** A completion script with all commands in it, so that completing a word starts no process. */
export function completionScript(shell: Shell, tree: readonly Node[]): string {
  switch (shell) {
    case 'bash':
      return bash(tree);
    case 'zsh':
      return zsh(tree);
    case 'fish':
      return fish(tree);
  }
}

/** The words that may follow a command: its subcommands and options. */
const wordsAfter = ({ commands, options }: Node): string =>
  [...commands.map(({ name }) => name), ...options.map(({ flag }) => flag)].join(' ');

/** Commands that have subcommands, as a shell pattern. */
const groups = (tree: readonly Node[]): string =>
  tree
    .filter(({ path, commands }) => path !== '' && commands.length > 0)
    .map(({ path }) => path)
    .join('|');

/** For bash: a case for each option whose value is one of a few words. */
const choiceCases = (tree: readonly Node[]): string[] => {
  const choices = new Map(
    tree.flatMap(({ options }) =>
      options
        .filter((one) => one.choices.length > 0)
        .map(({ flag, choices }) => [flag, choices.join(' ')] as const),
    ),
  );
  return [...choices].map(
    ([flag, words]) => `    ${flag}) COMPREPLY=($(compgen -W "${words}" -- "$word")); return ;;`,
  );
};

/** Options that take a value, as a shell pattern. */
const withValue = (tree: readonly Node[]): string => {
  const flags = tree.flatMap(({ options }) =>
    options.filter((one) => one.takesValue).map(({ flag }) => flag),
  );
  return [...new Set(flags)].join('|');
};

const bash = (tree: readonly Node[]): string => `# quarterjack completion for bash
_quarterjack() {
  local word="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" path="" index
  COMPREPLY=()
  case "$previous" in
${choiceCases(tree).join('\n')}
    ${withValue(tree)}) COMPREPLY=($(compgen -f -- "$word")); return ;;
  esac
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "\${COMP_WORDS[index]}" in
      ${withValue(tree)}) ((index++)) ;;
      -*) ;;
      *)
        case "$path" in
          ""|${groups(tree)}) path="\${path:+$path }\${COMP_WORDS[index]}" ;;
        esac ;;
    esac
  done
  case "$path" in
${tree.map((node) => `    "${node.path}") COMPREPLY=($(compgen -W "${wordsAfter(node)}" -- "$word")) ;;`).join('\n')}
  esac
  [ \${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "$word"))
}
complete -F _quarterjack quarterjack
`;

/** Quotes a description for zsh's `_describe`. */
const zshText = (text: string): string => text.replace(/'/g, "'\\''").replace(/:/g, '\\:');

const zsh = (tree: readonly Node[]): string => `#compdef quarterjack
_quarterjack() {
  local word path="" index
  local -a next
  for ((index = 2; index < CURRENT; index++)); do
    word="\${words[index]}"
    case "$word" in
      ${withValue(tree)}) ((index++)) ;;
      -*) ;;
      *)
        case "$path" in
          ""|${groups(tree)}) path="\${path:+$path }$word" ;;
        esac ;;
    esac
  done
  case "$path" in
${tree
  .map(({ path, commands, options }) => {
    const entries = [
      ...commands.map(({ name, description }) => `${name}:${description}`),
      ...options.map(({ flag, description }) => `${flag}:${description}`),
    ].map((entry) => {
      const colon = entry.indexOf(':');
      return `'${entry.slice(0, colon)}:${zshText(entry.slice(colon + 1))}'`;
    });
    return `    "${path}") next=(${entries.join(' ')}) ;;`;
  })
  .join('\n')}
  esac
  _describe 'quarterjack' next || _files
}
compdef _quarterjack quarterjack
`;

const fishText = (text: string): string => `'${text.replace(/\\/g, '\\\\').replace(/'/g, "\\'")}'`;

const fish = (tree: readonly Node[]): string => {
  const lines = tree.flatMap(({ path, commands, options }) => {
    const at = `-n '__quarterjack_at "${path}"'`;
    return [
      ...commands.map(
        ({ name, description }) => `complete -c quarterjack -f ${at} -a ${name} -d ${fishText(description)}`,
      ),
      ...options.map(
        ({ flag, description, takesValue, choices }) =>
          `complete -c quarterjack ${at} -l ${flag.slice(2)} -d ${fishText(description)}` +
          (choices.length > 0 ? ` -x -a ${fishText(choices.join(' '))}` : takesValue ? ' -r' : ''),
      ),
    ];
  });
  return `# quarterjack completion for fish
function __quarterjack_at
    set -l path
    set -l skip 0
    for word in (commandline -opc)[2..]
        if test $skip = 1
            set skip 0
        else if contains -- $word ${withValue(tree).split('|').join(' ')}
            set skip 1
        else if not string match -q -- '-*' $word
            contains -- "$path" "" ${groups(tree)
              .split('|')
              .map((group) => `"${group}"`)
              .join(' ')}
            and set path (string trim -- "$path $word")
        end
    end
    test "$path" = "$argv[1]"
end
${lines.join('\n')}
`;
};
