/** The longest time in which nothing of a kind was answered well. */
class Gap {
  #last = performance.now();
  longest = 0;

  /** Something was answered well, or the load begins. */
  note(begins = false): void {
    const now = performance.now();
    if (!begins) this.longest = Math.max(this.longest, now - this.#last);
    this.#last = now;
  }
}

/** What one scenario counts beside its history. Times are milliseconds. */
export class Book {
  logins = 0;
  logouts = 0;
  /** Answers that say yes or no. Which of them is right, the history tells. */
  answers = 0;
  /** 503 with `Retry-After`. */
  later = 0;
  /** Requests that a killed instance left unanswered. */
  cut = 0;
  /** Requests that a living instance left unanswered. */
  unanswered = 0;
  /** What was wrong with each answer that says neither yes nor no, nor when to come again. */
  readonly wrong: string[] = [];
  readonly gap = new Gap();
  readonly writeGap = new Gap();
  /** When a living instance last gave no answer that helps, by the monotonic clock. */
  lastTrouble = 0;

  begin(): void {
    this.gap.note(true);
    this.writeGap.note(true);
  }

  answered(): void {
    this.answers += 1;
    this.gap.note();
  }

  acknowledged(what: 'logins' | 'logouts'): void {
    this[what] += 1;
    this.writeGap.note();
  }

  putOff(isTrouble: boolean): void {
    this.later += 1;
    if (isTrouble) this.lastTrouble = performance.now();
  }

  silence(killed: boolean): void {
    if (killed) {
      this.cut += 1;
    } else {
      this.unanswered += 1;
      this.lastTrouble = performance.now();
    }
  }

  /** An answer that nothing allows. */
  faulty(what: string): void {
    this.wrong.push(`${new Date().toISOString()} ${what}`);
  }
}
