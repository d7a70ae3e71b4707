import { availableParallelism } from 'node:os';
import { verify } from '@node-rs/argon2';

/** Verifies one password against one hash, on all cores at once, and prints the number of checks a second. */
const [passwordHash = '', password = '', seconds = ''] = process.argv.slice(2);

await verify(passwordHash, password);
console.log('measuring');
const began = performance.now();
const giveUpAt = began + Number(seconds) * 1_000;
let done = 0;

async function checkOn(): Promise<void> {
  while (performance.now() < giveUpAt) {
    if (!(await verify(passwordHash, password)))
      throw new Error('the password is not the one that was hashed');
    done += 1;
  }
}

await Promise.all(Array.from({ length: availableParallelism() }, checkOn));
console.log(`a second: ${(done * 1_000) / (performance.now() - began)}`);
