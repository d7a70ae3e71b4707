import type { ZxcvbnFactory, ZxcvbnResult } from '@zxcvbn-ts/core';
import { faultOfBreach } from './breached-passwords.ts';
import { isTooLong } from './password-hash.ts';

/** UTF-16 units that are judged at a time: the work grows with the square of the length and more. */
const JUDGED = 40;
/** Readings of one password that are tried, such as `pa55` for `pass`: each costs as much as the first. */
const READINGS = 20;
/** Characters of the shortest word that is cut out of a password: shorter ones stand in many words by chance. */
const SHORTEST_WORD = 4;

/** A password takes at least as many guesses as so many random digits, or as its own characters if it has fewer. */
const HARD_ENOUGH = 9;

/** The name of the service: guessed at first by everybody who guesses at it. */
const SERVICE = 'tessera';

let estimator: Promise<ZxcvbnFactory> | undefined;

/** Made when first asked for: its dictionaries take some 30 MB, and the service itself hardly ever needs them. */
function estimatorLoaded(): Promise<ZxcvbnFactory> {
  estimator ??= Promise.all([import('@zxcvbn-ts/core'), import('@zxcvbn-ts/language-common')]).then(
    ([{ ZxcvbnFactory }, { dictionary, adjacencyGraphs: graphs }]) =>
      new ZxcvbnFactory({ dictionary, graphs, maxLength: JUDGED, l33tMaxSubstitutions: READINGS }),
  );
  return estimator;
}

/** What makes a password easy to guess, by the pattern that was found in it. */
const KINDS: Readonly<Record<string, string>> = {
  dictionary: 'common passwords or words',
  repeat: 'repetitions',
  sequence: 'rows of letters or digits',
  wordSequence: 'words in their usual order',
  spatial: 'rows of keys',
  date: 'dates',
  regex: 'dates',
};

/** The words that everybody guesses at who knows the account: the service's name, the user's and its parts. */
function knownWords(name: string): string[] {
  const whole = name.normalize('NFC').toLowerCase();
  const words = new Set([SERVICE, whole, ...whole.split(/[^\p{L}\p{N}]+/u)]);
  return [...words].filter((word) => word !== '').sort((a, b) => b.length - a.length);
}

function without(words: readonly string[], password: string): string {
  const long = words.filter((word) => [...word].length >= SHORTEST_WORD);
  return long.reduce((left, word) => left.replaceAll(word, ''), password.toLowerCase());
}

/** The text with one UTF-16 unit a character, as it is judged: the two units of others would count as repetitions. */
function inUnits(text: string): string {
  return text.replace(/[\u{10000}-\u{10ffff}]/gu, (character) =>
    String.fromCharCode(0xe000 + ((character.codePointAt(0) as number) % 6_400)),
  );
}

/** The better one of how the beginning and the end of a password are judged: the whole is no easier to guess. */
async function judged(password: string, words: string[]): Promise<ZxcvbnResult> {
  const zxcvbn = await estimatorLoaded();
  const beginning = zxcvbn.check(password, words);
  if (password.length <= JUDGED) return beginning;
  const end = zxcvbn.check(password.slice(-JUDGED), words);
  return end.guesses > beginning.guesses ? end : beginning;
}

function whyWeak({ sequence }: ZxcvbnResult): string {
  const [first, ...more] = sequence;
  if (first?.pattern === 'dictionary' && more.length === 0)
    return 'the password is one of the most common ones, tried first by everyone who guesses: choose another';
  const kinds = new Set(sequence.map(({ pattern }) => KINDS[pattern]).filter((kind) => kind !== undefined));
  const what = [...kinds].join(' and ') || 'few characters';
  return `the password is soon guessed, since it is made of ${what}: choose several words that do not belong together, or another longer one`;
}

/**
 * Why a password is too easy to guess for the user of this name, with the mend; nothing when it is hard enough. Common
 * passwords, the names of the user and of the service, repetitions and rows count for little. The work is bounded,
 * however long the password is.
 */
async function faultOfStrength(password: string, name: string): Promise<string | undefined> {
  const units = inUnits(password);
  const least = 10 ** Math.min(HARD_ENOUGH, units.length);
  const words = knownWords(inUnits(name));
  const whole = await judged(units, words);
  const rest = without(words, units);
  if (rest.length < units.length && (await judged(rest, words)).guesses < least)
    return 'the password is little more than the name of the user or of this service: choose one without them';
  return whole.guesses < least ? whyWeak(whole) : undefined;
}

/** What is asked of a new password. */
export interface NewPasswordRules {
  /** The name of the user whose password it is to be. */
  readonly name: string;
  /** How many characters it has at least. */
  readonly least: number;
  /** A file of breached passwords; empty for none. */
  readonly breachedFile: string;
}

/**
 * Why a new password is refused, with the mend; nothing when it is fine. No rules of composition (NIST SP 800-63B-4,
 * 3.1.1.2): any Unicode is welcome and counts.
 */
export async function faultOfNewPassword(
  password: string,
  { name, least, breachedFile }: NewPasswordRules,
): Promise<string | undefined> {
  const composed = password.normalize('NFC');
  const { length } = [...composed];
  if (length < least) return `the password has ${length} characters: choose one of ${least} or more`;
  if (isTooLong(password)) return 'the password is longer than 1024 bytes: choose a shorter one';
  const weakness = await faultOfStrength(composed, name);
  if (weakness !== undefined) return weakness;
  return breachedFile === '' ? undefined : faultOfBreach(breachedFile, password);
}
