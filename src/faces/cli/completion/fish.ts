import { type Completable, type CompletableProgram, type NamedWord, tablesOf } from './completable.ts';

/** A word of fish that stands for this text alone. */
const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

const said = (value: Completable) =>
  (typeof value === 'string' ? [`@${value}`] : value).map(quoted).join(' ');
const described = (words: readonly NamedWord[]) =>
  words.map(({ name, about }) => quoted(`${name}\t${about}`)).join(' ');

/** A function of the shell that prints a word on each line, for each of these first words. */
function table(name: string, rows: readonly (readonly [string, string])[]): string {
  const cases = rows
    .filter(([, words]) => words !== '')
    .map(([word, words]) => `    case '${word}'\n      printf '%s\\n' ${words}`);
  return [`function ${name}`, '  switch "$argv[1]"', ...cases, '  end', 'end'].join('\n');
}

const WALK = `function __tessera_offer
  if contains -- @files $argv
    __fish_complete_path (commandline -ct | string replace -r '^--[^=]*=' '')
  else if not contains -- @text $argv
    printf '%s\\n' $argv
  end
end
function __tessera
  set -l current (commandline -ct)
  set -l words (commandline -opc)
  set -l where ''
  set -l before ''
  for word in $words[2..-1]
    if test -n "$before"
      set before ''
    else if string match -q -- '-*' $word
      if test (count (__tessera_values $word)) -gt 0
        set before $word
      end
    else if contains -- $word (__tessera_commands "$where" | string replace -r '\\t.*' '')
      set where (string trim -- "$where $word")
    end
  end
  if test -n "$before"
    __tessera_offer (__tessera_values $before)
  else if string match -q -- '--*=*' $current
    set -l option (string replace -r '=.*' '' -- $current)
    for value in (__tessera_offer (__tessera_values $option))
      echo "$option=$value"
    end
  else if string match -q -- '-*' $current
    __tessera_options "$where"
  else
    set -l commands (__tessera_commands "$where")
    if test (count $commands) -gt 0
      printf '%s\\n' $commands
    else
      __tessera_offer (__tessera_arguments "$where")
    end
  end
end
complete -c tessera -f -a '(__tessera)'`;

/** The script by which fish completes `tessera`. */
export function fishScript(program: CompletableProgram): string {
  const tables = tablesOf(program, { prefix: '__tessera', table, names: described, values: said });
  return ['# Completion of tessera for fish.', ...tables, WALK, ''].join('\n');
}
