import type { ZxcvbnFactory, ZxcvbnResult } from '@zxcvbn-ts/core';
import type { GuessablePart, PasswordFault } from '../domain/password-fault.ts';
import { refuse } from '../domain/refusal.ts';
import { faultOfBreach } from './breached-passwords.ts';
import { QueueTimeout } from './concurrency-limiter.ts';
import type { HashOwner, HashPool } from './hash-queue.ts';
import { type HashCost, hashPassword, isTooLong } from './password-hash.ts';
import type { NewPasswordRefusal, Passwords } from './passwords.ts';

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
async function faultOfStrength(password: string, name: string): Promise<PasswordFault | undefined> {
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

/** The rules for a new password. */
export interface NewPasswordRules {
  /** The name of the user who gets the password. */
  readonly name: string;
  /** The least number of characters. */
  readonly least: number;
  /** Path of a file of breached passwords; empty for none. */
  readonly breachedFile: string;
}

/**
 * Why a new password is refused, and what to do; undefined if it is accepted. There are no rules of composition (NIST SP
 * 800-63B-4, 3.1.1.2): all Unicode characters are allowed and counted.
 */
export async function faultOfNewPassword(
  password: string,
  { name, least, breachedFile }: NewPasswordRules,
): Promise<PasswordFault | undefined> {
  // Before anything else, since the work grows with the length.
  if (isTooLong(password))
    return { code: 'long', sentence: 'the password is longer than 1024 bytes: choose a shorter one' };
  const composed = password.normalize('NFC');
  const { length } = [...composed];
  if (length < least) {
    const sentence = `the password has ${length} characters: choose one of ${least} or more`;
    return { code: 'short', length, least, sentence };
  }
  const weakness = await faultOfStrength(composed, name);
  if (weakness !== undefined) return weakness;
  return breachedFile === '' ? undefined : faultOfBreach(breachedFile, password);
}

/** The hash of a new password, or the rule that refuses it. Hashing waits its turn in the queue of the logins. */
export type HashNewPassword = (
  owner: HashOwner & { readonly name: string },
  password: string,
) => Promise<string | NewPasswordRefusal>;

/** The refusal of a new password, with its fault. */
const refusedPassword = (fault: PasswordFault) =>
  refuse('new_password_refused', { detail: fault.sentence, passwordFault: fault });

/** Hashes new passwords in this pool, at this cost, if the rules for the user's name accept them. */
export function newPasswordHasher(
  pool: Pick<HashPool, 'run'>,
  cost: HashCost,
  rulesFor: (name: string) => NewPasswordRules,
): HashNewPassword {
  return async (owner, password) => {
    const fault = await faultOfNewPassword(password, rulesFor(owner.name));
    if (fault !== undefined) return refusedPassword(fault);
    try {
      return await pool.run(() => hashPassword(password, cost), owner);
    } catch (error) {
      if (!(error instanceof QueueTimeout)) throw error;
      return refuse('hash_queue_full', { retryAfter: 2, reason: error.message });
    }
  };
}

/** A judgement takes the event loop up to 30 ms: so many may come at once, and then so many a second. */
const JUDGEMENTS = { atOnce: 20, aSecond: 4 };

/** Judges new passwords while they are typed, by these rules. It refuses what would slow the service down. */
export function newPasswordJudge(
  rulesFor: (name: string) => NewPasswordRules,
  clock: () => number,
): Passwords['judgeNew'] {
  const { atOnce, aSecond } = JUDGEMENTS;
  let left = atOnce;
  let at = clock();
  return async (name, password) => {
    const now = clock();
    left = Math.min(atOnce, left + (Math.max(0, now - at) / 1_000) * aSecond);
    at = now;
    if (left < 1) return refuse('hash_queue_full', { retryAfter: 1 });
    left -= 1;
    return faultOfNewPassword(password, rulesFor(name));
  };
}
