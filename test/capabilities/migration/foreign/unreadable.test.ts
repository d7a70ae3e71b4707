import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type GivenHash,
  HashUnreadable,
  readHash,
} from '../../../../src/capabilities/migration/foreign/read.ts';

const BCRYPT = '$2a$05$abcdefghijklmnopqrstuuld2iNsADDUug3fJOcVEpOxzGi3c4iiu';
const MD4 = 'cad2fa2fc63e45dfab85ad74cbf69c43';
const SALT = 'c29tZXNhbHQ';
/** Base64 of a digest that is too short, and of one that is too long. */
const SHORT = 'A'.repeat(20);
const LONG = 'A'.repeat(684);
const NO_DIGEST = /digest is not of 16 to 512 bytes/;

/** Hashes that cannot be read, and what the message has to say of each. */
const UNREADABLE: readonly (readonly [given: GivenHash | string, said: RegExp])[] = [
  ['secret', /kind that is not known/],
  [MD4, /bare hex: say how/],
  ['$5$rounds=5000$abc$def', /kind that is not known/],
  [BCRYPT.slice(0, -1), /bcrypt hash that is not whole/],
  [`${BCRYPT}x`, /bcrypt hash that is not whole/],
  [BCRYPT.replace('2a', '2x'), /\$2x\$.*new password/],
  [BCRYPT.replace('$05$', '$31$'), /bcrypt cost is not from 4 to 16/],
  [BCRYPT.replace('$05$', '$03$'), /bcrypt cost is not from 4 to 16/],
  [`$argon2id$v=19$m=64,t=2,p=1$${SALT}`, /argon2 hash of another form/],
  [`$argon2id$v=19$m=64,t=2,p=1,keyid=a$${SALT}$${SALT}`, /argon2 hash of another form/],
  [`$argon2id$v=18$m=64,t=2,p=1$${SALT}$${SALT}`, /argon2 hash of another form/],
  [`$argon2id$v=19$m=4194304,t=2,p=1$${SALT}$${SALT}${SALT}`, /argon2 memory \(KiB\) is not from/],
  [`$argon2i$v=19$m=64,t=1000,p=1$${SALT}$${SALT}${SALT}`, /argon2 passes is not from/],
  [`$scrypt$ln=30,r=8,p=1$${SALT}$${SALT}`, /scrypt cost/],
  [`$scrypt$ln=16,r=1,p=1$${SALT}$${'A'.repeat(43)}`, /scrypt cost.*from 1 to 15,/],
  [`scrypt:65536:1:1$salt$${'0f'.repeat(32)}`, /scrypt cost.*from 1 to 15,/],
  [`scrypt$65536$salt$1$1$${'A'.repeat(43)}=`, /scrypt cost.*from 1 to 15,/],
  [`$scrypt$ln=22,r=8,p=1$${SALT}$${SALT}`, /scrypt memory/],
  ['scrypt:1000:8:1$salt$00ff', /scrypt cost/],
  ['scrypt$salt', /scrypt hash of another form/],
  ['$pbkdf2-md5$1000$c2FsdA$c2FsdA', /PBKDF2 hash of another form/],
  [`$pbkdf2-sha256$100000000$${SALT}$${'A'.repeat(43)}`, /PBKDF2 iterations is not from/],
  ['$scrypt$ln=4,r=8,p=1$c2FsdA$A', NO_DIGEST],
  [`$scrypt$ln=4,r=8,p=1$c2FsdA$${SHORT}`, NO_DIGEST],
  [`$scrypt$ln=4,r=8,p=1$c2FsdA$${LONG}`, NO_DIGEST],
  ['scrypt$16$salt$8$1$=', NO_DIGEST],
  ['scrypt:32768:8:1$salt$f', /scrypt hash of another form/],
  [`scrypt:32768:8:1$salt$${'0f'.repeat(15)}`, NO_DIGEST],
  [`scrypt:32768:8:1$salt$${'0f'.repeat(16)}0`, /scrypt hash of another form/],
  ['$pbkdf2-sha256$1000$c2FsdA$A', NO_DIGEST],
  ['$pbkdf2-sha256$i=1000,l=32$c2FsdA$AAA', /length that its l= tells/],
  [`$pbkdf2-sha1$10000000$c2FsdA$${'A'.repeat(1_900)}`, NO_DIGEST],
  ['pbkdf2_sha256$1000$salt$=', NO_DIGEST],
  ['pbkdf2:sha256:1000$salt$f', /PBKDF2 hash of another form/],
  [`pbkdf2:sha256:1000$salt$${'0f'.repeat(513)}`, NO_DIGEST],
  [`pbkdf2:sha256:625001$salt$${'0f'.repeat(512)}`, /PBKDF2 iterations is not from 1 to 625000,/],
  [`$argon2i$v=19$m=64,t=2,p=1$${SALT}$${SHORT}`, NO_DIGEST],
  [`$argon2id$v=19$m=64,t=2,p=1$${SALT}$${SHORT}`, NO_DIGEST],
  [{ passwordHash: MD4, hashIndicator: ['md5'] }, /hashIndicator that is not known/],
  [{ passwordHash: MD4, hashIndicator: ['sha256'] }, /no sha256, which is 64 hex digits/],
  [{ passwordHash: BCRYPT, hashIndicator: ['md4'] }, /no md4, which is 32 hex digits/],
  [{ passwordHash: MD4, hashIndicator: ['bcrypt10'] }, /bcrypt hash that is not whole/],
  [{ passwordHash: BCRYPT, hashIndicator: ['bcrypt10', 'sha256'] }, /bcrypt before its last step/],
  [{ passwordHash: BCRYPT, hashIndicator: ['bcrypt10', 'bcrypt11'] }, /bcrypt before its last step/],
];

for (const [given, said] of UNREADABLE) {
  const hash: GivenHash = typeof given === 'string' ? { passwordHash: given } : given;
  test(`a hash is refused with ${said}, and the message contains no part of it: ${JSON.stringify(given)}`, () => {
    assert.throws(
      () => readHash(hash),
      (error: Error) => {
        assert.ok(error instanceof HashUnreadable);
        assert.match(error.message, said);
        assert.ok(hash.passwordHash.length < 7 || !error.message.includes(hash.passwordHash.slice(-7)));
        return true;
      },
    );
  });
}
