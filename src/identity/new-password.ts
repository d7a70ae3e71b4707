import type { ZxcvbnFactory, ZxcvbnResult } from '@zxcvbn-ts/core';
import { refuse } from '../domain/refusal.ts';
import { faultOfBreach } from './breached-passwords.ts';
import { QueueTimeout } from './concurrency-limiter.ts';
import type { HashOwner, HashPool } from './hash-queue.ts';
import { type HashCost, hashPassword, isTooLong } from './password-hash.ts';
import type { NewPasswordRefusal } from './verifier.ts';

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
const KINDS: Readonly<Record<string, string>> = {
  dictionary: 'common passwords or words',
  repeat: 'repetitions',
  sequence: 'rows of letters or digits',
  wordSequence: 'words in their usual order',
  spatial: 'rows of keys',
  date: 'dates',
  regex: 'dates',
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

function whyWeak({ sequence }: ZxcvbnResult): string {
  const [first, ...more] = sequence;
  if (first?.pattern === 'dictionary' && more.length === 0)
    return 'the password is one of the most common ones, tried first by everyone who guesses: choose another';
  const kinds = new Set(sequence.map(({ pattern }) => KINDS[pattern]).filter((kind) => kind !== undefined));
  const what = [...kinds].join(' and ') || 'few characters';
  return `the password is soon guessed, since it is made of ${what}: choose several words that do not belong together, or another longer one`;
}

/**
 * Why a password of this user is too easy to guess, and what to do; undefined if it is hard enough. Common passwords, the
 * names of the user and of the service, repetitions and rows count for little. The work is bounded for any length.
 */
async function faultOfStrength(password: string, name: string): Promise<string | undefined> {
  const units = inUnits(password);
  const least = 10 ** Math.min(HARD_ENOUGH, units.length);
  const words = knownWords(inUnits(name));
  const whole = await guessed(units, words);
  const rest = without(words, units);
  if (rest.length < units.length && (await guessed(rest, words)).guesses < least)
    return 'the password is little more than the name of the user or of this service: choose one without them';
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
): Promise<string | undefined> {
  const composed = password.normalize('NFC');
  const { length } = [...composed];
  if (length < least) return `the password has ${length} characters: choose one of ${least} or more`;
  if (isTooLong(password)) return 'the password is longer than 1024 bytes: choose a shorter one';
  const weakness = await faultOfStrength(composed, name);
  if (weakness !== undefined) return weakness;
  return breachedFile === '' ? undefined : faultOfBreach(breachedFile, password);
}

/** The hash of a new password, or the rule that refuses it. Hashing waits its turn in the queue of the logins. */
export type HashNewPassword = (
  owner: HashOwner & { readonly name: string },
  password: string,
) => Promise<string | NewPasswordRefusal>;

/** Hashes new passwords in this pool, at this cost, if the rules for the user's name accept them. */
export function newPasswordHasher(
  pool: Pick<HashPool, 'run'>,
  cost: HashCost,
  rulesFor: (name: string) => NewPasswordRules,
): HashNewPassword {
  return async (owner, password) => {
    const fault = await faultOfNewPassword(password, rulesFor(owner.name));
    if (fault !== undefined) return refuse('new_password_refused', { detail: fault });
    try {
      return await pool.run(() => hashPassword(password, cost), owner);
    } catch (error) {
      if (!(error instanceof QueueTimeout)) throw error;
      return refuse('hash_queue_full', { retryAfter: 2, reason: error.message });
    }
  };
}
