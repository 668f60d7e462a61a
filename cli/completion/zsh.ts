import { type FlagNode, flagsWithValue, groupsOf, type Node, type Values, valueCases } from './tree';

/**
 * The completion script for zsh, to be sourced or put into `fpath`. From there, zsh runs its whole text as
 * the body of the function at the first TAB.
 */
export const zshScript = (tree: readonly Node[]): string => `#compdef quarterjack
# Ids from the API. False without them.
_quarterjack_ids() {
  local -a ids
  ids=(\${(f)"$(quarterjack complete -- "\${(@)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)"})
  (( \${#ids} )) && compadd -- $ids
}
_quarterjack() {
  local word at="" previous="\${words[CURRENT-1]}" index
  local -a next
  if [[ "$PREFIX" == --*=* ]]; then
    previous="\${PREFIX%%=*}"
    compset -P '*='
  fi
  for ((index = 2; index < CURRENT; index++)); do
    word="\${words[index]}"
    case "$word" in
      ${flagsWithValue(tree).join('|')}) ((index++)) ;;
      -*) ;;
      *)
        case "$at" in
          ""|${groupsOf(tree)
            .map((group) => `"${group}"`)
            .join('|')}) at="\${at:+$at }$word" ;;
        esac ;;
    esac
  done
  case "$at $previous" in
${tree.flatMap((node) => valueCases(node, offer)).join('\n')}
    *" "(${flagsWithValue(tree).join('|')})) _message 'value'; return ;;
  esac
  if [[ "$PREFIX" == -* ]]; then
    case "$at" in
${tree.map(({ path, options }) => `      "${path}") next=(${flagEntries(options)}) ;;`).join('\n')}
    esac
    _describe -o 'option' next
    return
  fi
  case "$at" in
${tree.map(wordCase).join('\n')}
  esac
}
if [[ "\${funcstack[1]}" == _quarterjack ]]; then
  _quarterjack "$@"
else
  compdef _quarterjack quarterjack
fi
`;

const offer = ({ choices, isFile }: Values): string =>
  isFile ? '_files' : `compadd -- ${choices.join(' ')}`;

/** Subcommands, values of the argument or ids, or flags if there are none. */
function wordCase({ path, commands, options, argument, takesIds }: Node): string {
  if (argument && (argument.isFile || argument.choices.length > 0))
    return `    "${path}") ${offer(argument)} ;;`;
  if (commands.length > 0) return `    "${path}") next=(${entries(commands)}); _describe 'command' next ;;`;
  const ids = takesIds ? '_quarterjack_ids && return; ' : '';
  return `    "${path}") ${ids}next=(${flagEntries(options)}); _describe -o 'option' next ;;`;
}

const flagEntries = (options: readonly FlagNode[]): string =>
  entries(options.map(({ flag, description }) => ({ name: flag, description })));

/** `'name:description'` for each word, as `_describe` reads it. */
const entries = (words: readonly { name: string; description: string }[]): string =>
  words.map(({ name, description }) => `'${name}:${description.replace(/'/g, "'\\''")}'`).join(' ');
