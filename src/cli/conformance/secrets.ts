const TICKET = /TICKET_[^\s"'&;,<>)\\]*/g;
const LEFT = 'TICKET_***';

/** What moves a terminal, or turns the order of its letters. */
const UNSEEN = /[\p{Cc}\p{Cf}]/gu;

const quoted = (text: string) => JSON.stringify(text).slice(1, -1);

/** A text as it is, and quoted in JSON: up to a body within a message within what is told of an answer. */
function quotings(text: string): string[] {
  const [once, twice] = [quoted(text), quoted(quoted(text))];
  return [quoted(twice), twice, once, text];
}

/** A text as XML and HTML have it; those who write them differ in how they write quotes. */
function escapings(text: string): string[] {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return ['"', '&quot;', '&#34;'].flatMap((quote) =>
    ["'", '&#39;', '&#x27;', '&apos;'].map((apostrophe) =>
      escaped.replaceAll('"', quote).replaceAll("'", apostrophe),
    ),
  );
}

/** Masks what a run knows: passwords in every form in which they are sent, and whatever looks like a ticket. */
export class Secrets {
  #known: readonly string[] = [];

  /** Masks this password from now on, alone and with its user in `Basic`. */
  add(user: string, password: string | undefined): void {
    if (password === undefined || password === '') return;
    const basic = Buffer.from(`${user}:${password}`).toString('base64');
    const forms = [password, ...escapings(password)].flatMap(quotings);
    const all = new Set([...this.#known, ...forms, encodeURIComponent(password), basic]);
    // Longest first: of a password that holds another one the rest would be left to read.
    this.#known = [...all].toSorted((one, other) => other.length - one.length);
  }

  /** The text without secrets and control characters, in one line and not too long. */
  masked(text: string, longest = 200): string {
    const bare = this.#known.reduce((left, secret) => left.replaceAll(secret, '***'), text);
    const line = bare.replace(TICKET, LEFT).replace(/\s+/g, ' ').replace(UNSEEN, '\u{fffd}');
    return line.length > longest ? `${line.slice(0, longest)}…` : line;
  }
}
