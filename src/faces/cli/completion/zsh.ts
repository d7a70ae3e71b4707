import { type Completable, type CompletableProgram, type NamedWord, tablesOf } from './completable.ts';

/** A word of zsh that stands for this text alone. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

const said = (value: Completable) =>
  (typeof value === 'string' ? [`@${value}`] : value).map(quoted).join(' ');
const described = (words: readonly NamedWord[]) =>
  words.map(({ name, about }) => quoted(`${name}:${about}`)).join(' ');

/** A function of the shell that puts words into `reply`, for each of these first words. */
function table(name: string, rows: readonly (readonly [string, string])[]): string {
  const cases = rows
    .filter(([, words]) => words !== '')
    .map(([word, words]) => `  '${word}') reply=(${words}) ;;`);
  return [`${name}() {`, '  reply=()', '  case $1 in', ...cases, '  esac', '}'].join('\n');
}

const WALK = `_tessera_offer() {
  case $reply[1] in
  @files) _files ;;
  @text) ;;
  *) compadd -- $reply ;;
  esac
}
_tessera() {
  local where='' before='' word
  local -a reply
  integer at
  for ((at = 2; at < CURRENT; at++)); do
    word=$words[at]
    if [[ -n $before ]]; then before=''; continue; fi
    if [[ $word == -* ]]; then
      _tessera_values $word
      if (( $#reply )); then before=$word; fi
    else
      _tessera_commands $where
      if (( \${reply[(I)$word:*]} )); then where=\${where:+$where }$word; fi
    fi
  done
  if [[ -z $before && $words[CURRENT] == --*=* ]]; then
    before=\${words[CURRENT]%%=*}
    compset -P '*='
  fi
  if [[ -n $before ]]; then
    _tessera_values $before
    _tessera_offer
  elif [[ $words[CURRENT] == -* ]]; then
    _tessera_options $where
    _describe option reply
  else
    _tessera_commands $where
    if (( $#reply )); then _describe command reply
    else
      _tessera_arguments $where
      if (( $#reply )); then _tessera_offer; fi
    fi
  fi
}
if [[ $funcstack[1] == _tessera ]]; then _tessera "$@"; else compdef _tessera tessera; fi`;

/** The script by which zsh completes `tessera`, to be sourced or put into its `fpath` as `_tessera`. */
export function zshScript(program: CompletableProgram): string {
  const tables = tablesOf(program, { prefix: '_tessera', table, names: described, values: said });
  return ['#compdef tessera', ...tables, WALK, ''].join('\n');
}
