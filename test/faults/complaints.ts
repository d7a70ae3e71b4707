/** What an instance told in its log, each kind of it once, with how often. */
export class Complaints {
  readonly #kinds = new Map<string, number>();
  #rest = '';

  hear(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#count(kindOf(line));
  }

  /** The most frequent ones, the most frequent first. */
  get most(): string[] {
    return [...this.#kinds]
      .sort(([, a], [, b]) => b - a)
      .slice(0, 8)
      .map(([kind, times]) => `${times} × ${kind}`);
  }

  #count(kind: string): void {
    this.#kinds.set(kind, (this.#kinds.get(kind) ?? 0) + 1);
  }
}

function kindOf(line: string): string {
  try {
    const { msg, err } = JSON.parse(line);
    return err === undefined ? msg : `${msg}: ${err.message}`;
  } catch {
    return line;
  }
}
