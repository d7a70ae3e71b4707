import { readAlfresco } from './alfresco.ts';
import { readArgon2 } from './argon2.ts';
import { readBcrypt } from './bcrypt.ts';
import { HashUnreadable, type ImportedHash } from './foreign-hash.ts';
import { readPbkdf2 } from './pbkdf2.ts';
import { readScrypt } from './scrypt.ts';

/** A hash as a file has it. */
export interface GivenHash {
  readonly passwordHash: string;
  /** The encoders that the reference's hash went through, in their order; none for hashes that name their own kind. */
  readonly hashIndicator?: readonly string[] | undefined;
  /** The reference's salt, used by its sha256 alone. */
  readonly salt?: string | undefined;
}

/** Django hashes with SHA-256 first, for bcrypt reads 72 bytes only. */
function readDjangoSha256(text: string): ImportedHash {
  const { steps, digest } = readBcrypt(text);
  return { steps: [{ kind: 'sha256' }, ...steps], digest };
}

/** The kinds that a hash names itself, by what it begins with. */
const KINDS: readonly (readonly [RegExp, (text: string) => ImportedHash])[] = [
  [/^\$argon2/, readArgon2],
  [/^argon2(?=\$argon2)/, (text) => readArgon2(text.slice('argon2'.length))],
  [/^\$2/, readBcrypt],
  [/^bcrypt\$/, (text) => readBcrypt(text.slice('bcrypt$'.length))],
  [/^bcrypt_sha256\$/, (text) => readDjangoSha256(text.slice('bcrypt_sha256$'.length))],
  [/^\$?scrypt[$:]/, readScrypt],
  [/^\$?pbkdf2[-$:_]/, readPbkdf2],
];

/** Reads a hash of any kind that is known; throws {@link HashUnreadable} with the mend. */
export function readHash({ passwordHash, hashIndicator, salt }: GivenHash): ImportedHash {
  if (hashIndicator !== undefined && hashIndicator.length > 0)
    return readAlfresco(passwordHash, hashIndicator, salt);
  const kind = KINDS.find(([shape]) => shape.test(passwordHash));
  if (kind !== undefined) return kind[1](passwordHash);
  if (/^([0-9a-f]{32}|[0-9a-f]{64})$/i.test(passwordHash))
    throw new HashUnreadable(
      'has a hash in bare hex: say how it was made, in hashIndicator, such as md4 or sha256',
    );
  throw new HashUnreadable(
    'has a hash of a kind that is not known here: argon2, bcrypt, scrypt and PBKDF2 are, and those with a hashIndicator',
  );
}
