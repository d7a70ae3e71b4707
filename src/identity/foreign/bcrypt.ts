import { bounded, type ForeignHash, HashUnreadable } from './foreign-hash.ts';

const ALPHABET = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const STANDARD = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const SHAPE = /^\$2([abxy])\$(\d\d)\$([./A-Za-z0-9]{22})([./A-Za-z0-9]{31})$/;

/** The 16 bytes of a salt, in base64. The last character has bits to spare, which some programs set. */
function saltIn(text: string): string {
  const standard = text.replace(/./g, (character) => STANDARD[ALPHABET.indexOf(character)] as string);
  return Buffer.from(standard, 'base64').subarray(0, 16).toString('base64');
}

/** Reads `$2a$`, `$2b$` and `$2y$`, which are one computation under three names. */
export function readBcrypt(text: string): ForeignHash {
  const [, version, cost, salt = '', digest = ''] = SHAPE.exec(text) ?? [];
  if (version === undefined)
    throw new HashUnreadable('has a bcrypt hash that is not whole: it has 60 characters, such as $2a$10$…');
  if (version === 'x')
    throw new HashUnreadable(
      'has a $2x$ hash, made by a faulty bcrypt: leave the user out, and give it a new password',
    );
  return {
    steps: [{ kind: 'bcrypt', cost: bounded(cost, 4, 16, 'bcrypt cost'), salt: saltIn(salt) }],
    digest,
  };
}
