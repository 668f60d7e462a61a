import { flagsWithValue, groupsOf, type Node, type Values, valueCases } from './tree';

/** The completion script for bash 3.2 and newer. */
export const bashScript = (tree: readonly Node[]): string => `# quarterjack completion for bash
_quarterjack_words() { COMPREPLY=($(compgen -W "$1" -- "$word")); }
_quarterjack_files() {
  local IFS=$'\\n'
  compopt -o filenames 2>/dev/null
  COMPREPLY=($(compgen -f -- "$word"))
}
# Ids from the API. Without them, the flags.
_quarterjack_ids() {
  local IFS=$'\\n'
  COMPREPLY=($(quarterjack complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  IFS=' '
  [ "\${#COMPREPLY[@]}" -gt 0 ] || _quarterjack_words "$1"
}
_quarterjack() {
  local word="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" at="" index
  COMPREPLY=()
  # bash makes three words of --flag=value.
  if [ "$word" = "=" ]; then
    word=""
  elif [ "$previous" = "=" ]; then
    previous="\${COMP_WORDS[COMP_CWORD-2]}"
  fi
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "\${COMP_WORDS[index]}" in
      ${flagsWithValue(tree).join('|')}) ((index++)) ;;
      -*|=) ;;
      *)
        case "$at" in
          ""|${groupsOf(tree).join('|')}) at="\${at:+$at }\${COMP_WORDS[index]}" ;;
        esac ;;
    esac
  done
  case "$at $previous" in
${tree.flatMap((node) => valueCases(node, offer)).join('\n')}
    *" "${flagsWithValue(tree).join('|*" "')}) return ;;
  esac
  case "$at:$word" in
${tree.map(wordCases).join('\n')}
  esac
}
complete -F _quarterjack quarterjack
`;

const offer = ({ choices, isFile }: Values): string =>
  isFile ? '_quarterjack_files' : `_quarterjack_words "${choices.join(' ')}"`;

/** Flags after a dash; otherwise subcommands, values of the argument or ids, or flags if there are none. */
function wordCases({ path, commands, options, argument, takesIds }: Node): string {
  const all = options.map(({ flag }) => flag).join(' ');
  const flags = `_quarterjack_words "${all}"`;
  const words = `_quarterjack_words "${commands.map(({ name }) => name).join(' ')}"`;
  const others = takesIds ? `_quarterjack_ids "${all}"` : flags;
  const values = argument && (argument.isFile || argument.choices.length > 0) ? offer(argument) : others;
  return `    "${path}:-"*) ${flags} ;;\n    "${path}:"*) ${commands.length > 0 ? words : values} ;;`;
}
