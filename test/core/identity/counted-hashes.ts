import { createRequire } from 'node:module';

type Argon2 = Record<'hash' | 'verify', (...given: unknown[]) => Promise<unknown>>;

/**
 * The cost of every argon2 computation in this process, as a PHC prefix such as `m=8,t=1,p=1`. Import this module before any
 * that hashes: it wraps the functions of the package, so that tests count the work instead of timing it.
 */
export const hashes: string[] = [];

const argon2 = createRequire(import.meta.url)('@node-rs/argon2') as Argon2;
const { hash, verify } = argon2;

argon2.hash = (password, options) => {
  const { memoryCost, timeCost, parallelism } = options as Record<string, number>;
  hashes.push(`m=${memoryCost},t=${timeCost},p=${parallelism}`);
  return hash(password, options);
};

argon2.verify = (passwordHash, password) => {
  hashes.push(String(passwordHash).split('$')[3] ?? '');
  return verify(passwordHash, password);
};
