import { AssertionError } from 'node:assert/strict';
import { userInfo } from 'node:os';
import type { Ended } from './command.ts';

/** A command of a transcript, with its input and the expected result. */
export interface Step {
  readonly command: string;
  readonly stdin: string;
  /** In the notation of transcripts: output, then error output, then the exit code. */
  readonly expected: string;
}

/** A transcript: its promise, and its commands. */
export interface Transcript {
  readonly promise: string;
  readonly steps: readonly Step[];
}

const PLACEHOLDERS: Readonly<Record<string, string>> = {
  '<time>': '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z',
  '<digest>': '[0-9a-f]{8}',
  '<ticket>': 'TICKET_[0-9a-f]{40}',
  '<number>': '\\d+(?:\\.\\d+)?',
  '<secret>': 'SECRET_[0-9a-f]{64}',
  '<key>': 'tsk_[\\w-]{43}',
  '<app password>': 'tap_[a-z2-7]{32}',
  // The system user who runs the commands.
  '<actor>': userInfo().username.replace(/\W/g, '\\$&'),
};

/** Marks for any number of lines: of the output, and of the error output. */
const LEFT_OUT: Readonly<Record<string, string>> = { '…': '(?:(?!! ).*\\n)*?', '! …': '(?:! .*\\n)*?' };

const withoutLastBreaks = (text: string) => text.replace(/\n+$/, '');
const lines = (text: string) => (text === '' ? [] : withoutLastBreaks(text).split('\n'));

function notation(stdout: readonly string[], stderr: readonly string[], code: string): string {
  return [...stdout, ...stderr.map((line) => `! ${line}`), `? ${code}`].join('\n');
}

function readStep(text: string): Step {
  const [command = '', ...rest] = lines(text);
  const after = (mark: string) =>
    rest.filter((line) => line.startsWith(mark)).map((line) => line.slice(mark.length));
  const stdout = lines(rest.filter((line) => !/^[<!?] /.test(line)).join('\n'));
  return {
    command,
    stdin: after('< ')
      .map((line) => `${line}\n`)
      .join(''),
    expected: notation(stdout, after('! '), after('? ')[0] ?? '0'),
  };
}

/**
 * Reads a transcript. Its first line says what it promises; `# ` begins a remark. A command begins with `$ `, and
 * below it stand its standard input (`< `), its output as it is, its error output (`! `) and its exit code (`? `, 0
 * when left out). A line `…` stands for any lines of the output, `! …` for any of the error output. Columns are as wide as
 * their content, so runs of spaces count as one.
 */
export function readTranscript(text: string): Transcript {
  const [promise = '', ...steps] = text.replace(/^# .*\n/gm, '').split(/^\$ /m);
  return { promise: promise.trim(), steps: steps.map(readStep) };
}

function patternOf(expected: string): RegExp {
  const literal = expected
    .split('\n')
    .map((line) => LEFT_OUT[line] ?? `${line.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}\n`)
    .join('');
  const source = Object.entries(PLACEHOLDERS).reduce(
    (text, [name, pattern]) => text.replaceAll(name, pattern),
    literal,
  );
  return new RegExp(`^${source.replace(/ +/g, ' +')}$`);
}

/** Throws, with a difference in the notation of transcripts, if a command did not end as its step says. */
export function compare({ command, expected }: Step, { stdout, stderr, code }: Ended): void {
  const actual = notation(lines(stdout), lines(stderr), String(code));
  if (patternOf(expected).test(`${actual}\n`)) return;
  throw new AssertionError({
    actual: `$ ${command}\n${actual}`,
    expected: `$ ${command}\n${expected}`,
    operator: 'strictEqual',
  });
}
