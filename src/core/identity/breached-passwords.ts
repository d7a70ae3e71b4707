import { hash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import type { PasswordFault } from '../domain/password-fault.ts';

/** The most bytes of a line: 40 digits, a colon, a count and a line break. */
const LONGEST_LINE = 64;
/** A SHA-1 in hex, or at least its first 16 digits, with or without a count. */
const HASH = /^([0-9A-F]{16,40})(?::\d+)?$/i;
/** How many lines are read to check the file. */
const SAMPLES = 32;

const FILE_FAULTS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file: name one, or leave the setting out',
  EISDIR: 'it is a folder: name one file with all hashes',
  EACCES: 'it may not be read: let the user read it that the service and the commands run as',
};

/** Thrown when the file cannot be used. The message says what is wrong and what to do. */
class BreachedFileUnusable extends Error {}

const NOT_SORTED = 'it is not sorted by hash: sort it, such as with LC_ALL=C sort';

interface HashLine {
  /** The offset of this line, and of the next one. */
  readonly start: number;
  readonly next: number;
  /** Upper-case hex digits. */
  readonly digits: string;
}

/** Reads the line that contains the byte at `offset`. */
async function lineAt(file: FileHandle, size: number, offset: number): Promise<HashLine> {
  const from = Math.max(0, offset - LONGEST_LINE);
  const window = Buffer.alloc(Math.min(size, offset + LONGEST_LINE) - from);
  const { bytesRead } = await file.read(window, 0, window.length, from);
  const text = window.toString('latin1', 0, bytesRead);
  const begin = text.lastIndexOf('\n', offset - from - 1) + 1;
  const end = text.indexOf('\n', offset - from);
  const digits = HASH.exec(text.slice(begin, end < 0 ? undefined : end).replace(/\r$/, ''))?.[1];
  if (digits === undefined)
    throw new BreachedFileUnusable(
      `the line at byte ${from + begin} is no SHA-1 in hex, alone or with a colon and a count: name a file of such lines`,
    );
  return { start: from + begin, next: end < 0 ? size : from + end + 1, digits: digits.toUpperCase() };
}

/** Whether the file contains this SHA-1, in upper-case hex. A binary search: it reads some 40 lines of the largest file. */
async function contains(file: FileHandle, size: number, sha1: string): Promise<boolean> {
  let [low, high] = [0, size];
  let [below, above] = ['', 'Z'];
  while (low < high) {
    const { start, next, digits } = await lineAt(file, size, Math.floor((low + high) / 2));
    if (digits < below || digits > above) throw new BreachedFileUnusable(NOT_SORTED);
    const sought = sha1.slice(0, digits.length);
    if (digits === sought) return true;
    if (digits < sought) [low, below] = [next, digits];
    else [high, above] = [start, digits];
  }
  return false;
}

/** Reads lines from all over the file. Throws if one is not a hash, or if they are not sorted. */
async function check(file: FileHandle, size: number): Promise<void> {
  let before = '';
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const { digits } = await lineAt(file, size, Math.floor(((size - 1) * sample) / (SAMPLES - 1)));
    if (digits < before) throw new BreachedFileUnusable(NOT_SORTED);
    before = digits;
  }
}

async function withFile<T>(path: string, work: (file: FileHandle, size: number) => Promise<T>): Promise<T> {
  try {
    await using file = await open(path);
    const { size } = await file.stat();
    if (size === 0)
      throw new BreachedFileUnusable('it is empty: name a file of hashes, or leave the setting out');
    return await work(file, size);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new BreachedFileUnusable(FILE_FAULTS[code] ?? message, { cause: error });
  }
}

/** What is wrong with a file of breached passwords, and what to do; undefined if lines from all over it are fine. */
export async function faultOfBreachedFile(path: string): Promise<string | undefined> {
  try {
    await withFile(path, check);
    return undefined;
  } catch (error) {
    return `${path}: ${(error as Error).message}`;
  }
}

/**
 * Why a password is refused because of a file of breached ones: the file contains it, or cannot be read. The file has sorted
 * SHA-1 hashes in hex, one on each line, each alone or with a colon and a count.
 */
export async function faultOfBreach(path: string, password: string): Promise<PasswordFault | undefined> {
  const spellings = new Set([password, password.normalize('NFC')]);
  try {
    for (const spelling of spellings) {
      const sha1 = hash('sha1', spelling, 'hex').toUpperCase();
      if (await withFile(path, (file, size) => contains(file, size, sha1)))
        return {
          code: 'breached',
          sentence:
            'the password was breached somewhere, so it is tried early by everyone who guesses: choose another',
        };
    }
    return undefined;
  } catch (error) {
    const why = (error as Error).message;
    return {
      code: 'unchecked',
      sentence: `whether the password was breached cannot be looked up in ${path}: ${why}`,
    };
  }
}
