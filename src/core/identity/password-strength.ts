import type { ZxcvbnFactory, ZxcvbnResult } from '@zxcvbn-ts/core';
import type { GuessablePart, PasswordFault } from '../domain/password-fault.ts';

/** How many UTF-16 units are judged at a time: the work grows faster than the square of the length. */
const JUDGED = 40;
/** How many readings of a password are tried, such as `pass` for `pa55`: each costs as much as the first. */
const READINGS = 20;
/** The least characters of a word that is removed from a password: shorter ones occur in many words by chance. */
const SHORTEST_WORD = 4;

/** A password must be as hard to guess as so many random digits, or as many as it has characters if those are fewer. */
const HARD_ENOUGH = 9;

/** The name of the service, which is guessed first. */
const SERVICE = 'tessera';

let estimator: Promise<ZxcvbnFactory> | undefined;

/** Loaded on first use: its dictionaries take some 30 MB, and the service itself rarely needs them. */
function loadEstimator(): Promise<ZxcvbnFactory> {
  estimator ??= Promise.all([import('@zxcvbn-ts/core'), import('@zxcvbn-ts/language-common')]).then(
    ([{ ZxcvbnFactory }, { dictionary, adjacencyGraphs: graphs }]) =>
      new ZxcvbnFactory({ dictionary, graphs, maxLength: JUDGED, l33tMaxSubstitutions: READINGS }),
  );
  return estimator;
}

/** For each pattern of the estimator, what makes such a password easy to guess. */
const PARTS: Readonly<Record<string, GuessablePart>> = {
  dictionary: 'words',
  repeat: 'repetitions',
  sequence: 'sequences',
  wordSequence: 'words',
  spatial: 'keys',
  date: 'dates',
  regex: 'dates',
};

const PART_NAMES: Readonly<Record<GuessablePart, string>> = {
  words: 'common passwords or words',
  repetitions: 'repetitions',
  sequences: 'rows of letters or digits',
  keys: 'rows of keys',
  dates: 'dates',
};

/** The words that are guessed first for this user: the names of service and user, and the parts of the user's name. */
function knownWords(name: string): string[] {
  const whole = name.normalize('NFC').toLowerCase();
  const words = new Set([SERVICE, whole, ...whole.split(/[^\p{L}\p{N}]+/u)]);
  return [...words].filter((word) => word !== '').sort((a, b) => b.length - a.length);
}

function without(words: readonly string[], password: string): string {
  const long = words.filter((word) => [...word].length >= SHORTEST_WORD);
  return long.reduce((left, word) => left.replaceAll(word, ''), password.toLowerCase());
}

/** The text with one UTF-16 unit for each character. The estimator would take surrogate pairs for repetitions. */
function inUnits(text: string): string {
  return text.replace(/[\u{10000}-\u{10ffff}]/gu, (character) =>
    String.fromCharCode(0xe000 + ((character.codePointAt(0) as number) % 6_400)),
  );
}

/** The better result of the beginning and the end of a password: the whole is at least as hard to guess. */
async function guessed(password: string, words: string[]): Promise<ZxcvbnResult> {
  const zxcvbn = await loadEstimator();
  const beginning = zxcvbn.check(password, words);
  if (password.length <= JUDGED) return beginning;
  const end = zxcvbn.check(password.slice(-JUDGED), words);
  return end.guesses > beginning.guesses ? end : beginning;
}

function whyWeak({ sequence }: ZxcvbnResult): PasswordFault {
  const [first, ...more] = sequence;
  if (first?.pattern === 'dictionary' && more.length === 0)
    return {
      code: 'common',
      sentence:
        'the password is one of the most common ones, tried first by everyone who guesses: choose another',
    };
  const parts = new Set(sequence.map(({ pattern }) => PARTS[pattern]).filter((part) => part !== undefined));
  const madeOf = [...parts];
  const what = madeOf.map((part) => PART_NAMES[part]).join(' and ') || 'few characters';
  return {
    code: 'guessable',
    madeOf,
    sentence: `the password is soon guessed, since it is made of ${what}: choose several words that do not belong together, or another longer one`,
  };
}

/**
 * Why a password of this user is too easy to guess, and what to do; undefined if it is hard enough. Common passwords, the
 * names of the user and of the service, repetitions and rows count for little. The work is bounded for any length.
 */
export async function faultOfStrength(password: string, name: string): Promise<PasswordFault | undefined> {
  const units = inUnits(password);
  const least = 10 ** Math.min(HARD_ENOUGH, units.length);
  const words = knownWords(inUnits(name));
  const whole = await guessed(units, words);
  const rest = without(words, units);
  if (rest.length < units.length && (await guessed(rest, words)).guesses < least)
    return {
      code: 'named',
      sentence:
        'the password is little more than the name of the user or of this service: choose one without them',
    };
  return whole.guesses < least ? whyWeak(whole) : undefined;
}
