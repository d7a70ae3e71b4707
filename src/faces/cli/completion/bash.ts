import { type Completable, type CompletableProgram, type NamedWord, tablesOf } from './completable.ts';

/** Marks in place of words: paths of files, and text that nothing can complete. */
const MARKS = { files: '@files', text: '@text' } as const;

const said = (value: Completable) => (typeof value === 'string' ? MARKS[value] : value.join(' '));
const namesOf = (words: readonly NamedWord[]) => words.map(({ name }) => name).join(' ');

/** A function of the shell that prints a text for each of these words. */
function table(name: string, rows: readonly (readonly [string, string])[]): string {
  const cases = rows
    .filter(([, text]) => text !== '')
    .map(([word, text]) => `  '${word}') echo '${text}' ;;`);
  return [`${name}() {`, '  case $1 in', ...cases, '  esac', '}'].join('\n');
}

const WALK = `_tessera() {
  local current=\${COMP_WORDS[COMP_CWORD]} where='' before='' offered word at
  COMPREPLY=()
  for ((at = 1; at < COMP_CWORD; at++)); do
    word=\${COMP_WORDS[at]}
    if [[ $word == '=' ]]; then continue; fi
    if [[ -n $before ]]; then before=''; continue; fi
    if [[ $word == -* ]]; then
      if [[ -n $(_tessera_values "$word") ]]; then before=$word; fi
    elif [[ " $(_tessera_commands "$where") " == *" $word "* ]]; then
      where=\${where:+$where }$word
    fi
  done
  if [[ $current == '=' ]]; then current=''; fi
  if [[ -n $before ]]; then offered=$(_tessera_values "$before")
  elif [[ $current == -* ]]; then offered=$(_tessera_options "$where")
  else
    offered=$(_tessera_commands "$where")
    if [[ -z $offered ]]; then offered=$(_tessera_arguments "$where"); fi
  fi
  case $offered in
  @text) ;;
  @files)
    compopt -o filenames 2>/dev/null
    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$current")
    ;;
  *) while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$offered" -- "$current") ;;
  esac
}
complete -F _tessera tessera`;

/** The script by which bash completes `tessera`. */
export function bashScript(program: CompletableProgram): string {
  const tables = tablesOf(program, { prefix: '_tessera', table, names: namesOf, values: said });
  return ['# Completion of tessera for bash.', ...tables, WALK, ''].join('\n');
}
