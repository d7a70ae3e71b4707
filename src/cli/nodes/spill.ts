import { appendFileSync, createReadStream, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Line, Waiting } from '../../nodes/import.ts';

/** Lines that are gathered before they are written. */
const GATHERED = 1_000;

/** Lines waiting in a temporary file, so that an import of any size needs little memory. */
export class Spill implements Waiting {
  readonly #folder = mkdtempSync(join(tmpdir(), 'tessera-import-'));
  readonly #file = join(this.#folder, 'waiting');
  #gathered: string[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add({ number, text }: Line): void {
    this.#gathered.push(`${number} ${text}\n`);
    this.#size += 1;
    if (this.#gathered.length >= GATHERED) this.#write();
  }

  async *takeAll(): AsyncGenerator<Line> {
    this.#write();
    const taken = `${this.#file}-taken`;
    renameSync(this.#file, taken);
    writeFileSync(this.#file, '');
    this.#size = 0;
    for await (const line of createInterface({
      input: createReadStream(taken),
      crlfDelay: Number.POSITIVE_INFINITY,
    })) {
      const space = line.indexOf(' ');
      yield { number: Number(line.slice(0, space)), text: line.slice(space + 1) };
    }
  }

  /** Removes the file. */
  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #write(): void {
    appendFileSync(this.#file, this.#gathered.join(''));
    this.#gathered = [];
  }
}
