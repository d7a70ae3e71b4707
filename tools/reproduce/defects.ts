import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A row of the table in `docs/why/defects.md`. */
export interface Defect {
  /** The commit that mended it, as an abbreviated hash. */
  readonly mend: string;
  /** The test file that came with the mend, as a path in the tree of that commit. */
  readonly file: string;
  /** The name of the test in it. */
  readonly name: string;
}

const ROW = /^\| `([0-9a-f]{8})` \| .+ \| .+ \| `(\S+\.ts)`: `(.+)` \|$/;

/** The rows of the page of defects of this checkout, in their order. Throws at a row of another form. */
export function defectsOf(root: string): Defect[] {
  const page = readFileSync(join(root, 'docs/why/defects.md'), 'utf8');
  return page
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => {
      const [, mend, file, name] = ROW.exec(line) ?? [];
      if (!mend || !file || !name) throw new Error(`docs/why/defects.md has a row of another form: ${line}`);
      return { mend, file: `test/${file}`, name };
    });
}
