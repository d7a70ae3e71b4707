/** The password of all hashes here. It is not all ASCII. */
export const RIGHT = 'Grüße, Wêlt';

const SALT = '1c2f3a9e-7a55-4c7e-b5be-2f6bd0d0a6a1';

export interface Sample {
  readonly passwordHash: string;
  readonly hashIndicator?: readonly string[];
  readonly salt?: string;
  readonly password?: string;
}

/**
 * Hashes of every kind, made by other programs: Python's hashlib, crypt of the C library, a textbook MD4, and the examples
 * of the packages.
 */
export const FOREIGN: Readonly<Record<string, Sample>> = {
  argon2id: {
    passwordHash:
      '$argon2id$v=19$m=64,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$pRBgQjWaP9fL7sH0zPnFLDDw0kd+5CGdpC1+daBD5x8',
  },
  argon2i: {
    passwordHash:
      '$argon2i$v=19$m=64,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$njVoGvcSjww6WxFRNimdL0XgJRHX1/DBPKwv8WgMJQ4',
  },
  argon2d: {
    passwordHash:
      '$argon2d$v=19$m=64,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$qkbafwysHyTaXLPe5kT3L5QZ+J4T9d4YWMBFO1SXl44',
  },
  'argon2i before version 19': {
    passwordHash: '$argon2i$m=65536,t=2,p=1$c29tZXNhbHQ$9sTbSlTio3Biev89thdrlKKiCaYsjjYVJxGAL3swxpQ',
    password: 'password',
  },
  'argon2 of Django': {
    passwordHash:
      'argon2$argon2id$v=19$m=64,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$pRBgQjWaP9fL7sH0zPnFLDDw0kd+5CGdpC1+daBD5x8',
  },
  'bcrypt 2a': { passwordHash: '$2a$05$abcdefghijklmnopqrstuuld2iNsADDUug3fJOcVEpOxzGi3c4iiu' },
  'bcrypt 2y': { passwordHash: '$2y$05$abcdefghijklmnopqrstuuld2iNsADDUug3fJOcVEpOxzGi3c4iiu' },
  'bcrypt 2b': { passwordHash: '$2b$04$abcdefghijklmnopqrstuutAdbG3TsL4BFY9U44rn.A1VlvEBax.a' },
  'bcrypt of 72 bytes': {
    passwordHash: '$2a$05$abcdefghijklmnopqrstuujf8SX2ahXLwp9w/B.Y5XdysS6yR576q',
    password: 'x'.repeat(72),
  },
  'bcrypt of Django': { passwordHash: 'bcrypt$$2b$04$abcdefghijklmnopqrstuutAdbG3TsL4BFY9U44rn.A1VlvEBax.a' },
  'bcrypt over SHA-256 of Django': {
    passwordHash: 'bcrypt_sha256$$2b$05$abcdefghijklmnopqrstuuJ8D6CIjRm1vVCO0W/gQ7Hf9MC598xR.',
  },
  scrypt: {
    passwordHash: '$scrypt$ln=10,r=8,p=1$+vv8/f7/AAECAwQFBgcICQ$cCFZfSt52QCyp08/3yAMlNDqt4V9OYv2+sSIZvIMcVc',
  },
  'scrypt of passlib': {
    passwordHash: '$scrypt$ln=16,r=8,p=1$aM15713r3Xsvxbi31lqr1Q$nFNh2CVHVjNldFVKDHDlm4CbdRSCdEBsjjJxD+iCs5E',
    password: 'password',
  },
  'scrypt of Django': {
    passwordHash:
      'scrypt$1024$kjVJaVz6qsnJ$8$1$FV6PsxDgxbT1DJDEjdeE77HXSISIZ6ouvXZpb6yDBKzNVhVba9yzoqsFtUhLGK1JLKWqqAyfdafgUuYEbjjJIw==',
  },
  'scrypt of Werkzeug': {
    passwordHash:
      'scrypt:1024:8:2$kjVJaVz6qsnJ$e647751760142f041d780f64f21741b1e619e97efdcfba7b840b7cb32d3ded8bb356be0c8a40cf79815027c07c70f6cddd30f3117784c9c9f5598039ef64bdaf',
  },
  PBKDF2: {
    passwordHash: '$pbkdf2-sha256$i=1000$+vv8/f7/AAECAwQFBgcICQ$gZotm/GBmuRZxzMWsLrzWBvPFjNyj5h47C/f9XY5Nmo',
  },
  'PBKDF2 that tells its length': {
    passwordHash:
      '$pbkdf2-sha512$i=1000,l=32$+vv8/f7/AAECAwQFBgcICQ$u1Xw6sPWa6ihwrU9SqeDm0yIC1EU+5KKtAQy1pSrnq4',
  },
  'PBKDF2 of passlib': {
    passwordHash: '$pbkdf2-sha256$6400$.6UI/S.nXIk8jcbdHx3Fhg$98jZicV16ODfEsEZeYPGHU3kbrUrvUEXOPimVSQDD44',
    password: 'password',
  },
  'PBKDF2 of passlib over SHA-1': {
    passwordHash: '$pbkdf2$1000$.vv8/f7/AAECAwQFBgcICQ$boJDnWeoddHMHImmqB5tBe575a4',
  },
  'PBKDF2 of passlib over SHA-512': {
    passwordHash:
      '$pbkdf2-sha512$1000$.vv8/f7/AAECAwQFBgcICQ$u1Xw6sPWa6ihwrU9SqeDm0yIC1EU.5KKtAQy1pSrnq6LY4FwrntL1O8xT91kBJ4Exjx0fg.eij6ATzRgct8rdQ',
  },
  'PBKDF2 of Django': {
    passwordHash: 'pbkdf2_sha256$1000$kjVJaVz6qsnJ$IqPaT3TdzNL9Llh0F2qQGZllkPY1NH0XuWEnw0FBlwA=',
  },
  'PBKDF2 of Django over SHA-1': {
    passwordHash: 'pbkdf2_sha1$1000$kjVJaVz6qsnJ$vMZgX/mEzZoiBkLpOAWOM1eoJkA=',
  },
  'PBKDF2 of Werkzeug': {
    passwordHash:
      'pbkdf2:sha256:1000$kjVJaVz6qsnJ$22a3da4f74ddccd2fd2e5874176a9019996590f635347d17b96127c341419700',
  },
  'PBKDF2 of Werkzeug over SHA-512': {
    passwordHash:
      'pbkdf2:sha512:1000$kjVJaVz6qsnJ$7c05e3dadb433319d05db64edba90f418b9762960ecd7f87764db375ffeba91a983b0525beeef1c776165b0d40455c268fd79f5b07e3650cee28fff5b85682b8',
  },
  'md4 of the reference, whatever the salt': {
    passwordHash: 'cad2fa2fc63e45dfab85ad74cbf69c43',
    hashIndicator: ['md4'],
    salt: SALT,
  },
  'md4 of the reference’s first administrator': {
    passwordHash: '209C6174DA490CAEB422F3FA5A7AE634',
    hashIndicator: ['md4'],
    password: 'admin',
  },
  'sha256 of the reference': {
    passwordHash: '79ae6da5ff0fd3a1fd691c2b2382349cf90abce5f97a91d824574c1b5ff1ee4f',
    hashIndicator: ['sha256'],
    salt: SALT,
  },
  'sha256 of the reference, without a salt': {
    passwordHash: '8221b5062b1a66a215648caaf1da4b120cea225ce7adbd33841e1148e632e67b',
    hashIndicator: ['sha256'],
  },
  'bcrypt of the reference': {
    passwordHash: '$2a$05$abcdefghijklmnopqrstuuld2iNsADDUug3fJOcVEpOxzGi3c4iiu',
    hashIndicator: ['bcrypt10'],
    salt: SALT,
  },
  'bcrypt over md4 of the reference': {
    passwordHash: '$2a$05$abcdefghijklmnopqrstuuIljhFSLIb6BdpwTEbu2FSFuRcAFBr7i',
    hashIndicator: ['md4', 'bcrypt10'],
    salt: SALT,
  },
  'bcrypt over sha256 of the reference': {
    passwordHash: '$2b$05$abcdefghijklmnopqrstuuJ8D6CIjRm1vVCO0W/gQ7Hf9MC598xR.',
    hashIndicator: ['sha256', 'bcrypt10'],
  },
  'bcrypt over sha256 over md4 of the reference': {
    passwordHash: '$2a$05$abcdefghijklmnopqrstuuGfM80GTJY/oq5V/WFd6H8s2kGWzzoJi',
    hashIndicator: ['md4', 'sha256', 'bcrypt10'],
    salt: SALT,
  },
  'md4 over sha256 of the reference': {
    passwordHash: 'c5224cb974a325db6676b1bf896969f9',
    hashIndicator: ['sha256', 'md4'],
    salt: SALT,
  },
};
