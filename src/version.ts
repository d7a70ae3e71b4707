import { readFileSync } from 'node:fs';

/** Which Tessera this is: `package.json` is a folder above, in a checkout as in a package. */
export const VERSION: string = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
).version;
