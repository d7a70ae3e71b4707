const TICKET = /TICKET_[^\s"'&;,<>)\\]*/g;
const LEFT = 'TICKET_***';

/** Characters that control a terminal or reverse its text. */
const UNSEEN = /[\p{Cc}\p{Cf}]/gu;

const quoted = (text: string) => JSON.stringify(text).slice(1, -1);

/** A text plain and quoted up to three times in JSON, as in a body within a message within a report. */
function quotings(text: string): string[] {
  const [once, twice] = [quoted(text), quoted(quoted(text))];
  return [quoted(twice), twice, once, text];
}

/** A text escaped for XML and HTML, with every usual escape of quotes. */
function escapings(text: string): string[] {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return ['"', '&quot;', '&#34;'].flatMap((quote) =>
    ["'", '&#39;', '&#x27;', '&apos;'].map((apostrophe) =>
      escaped.replaceAll('"', quote).replaceAll("'", apostrophe),
    ),
  );
}

/** Masks passwords in every form in which they are sent, and everything that looks like a ticket. */
export class Secrets {
  #known: readonly string[] = [];

  /** Adds a password to mask, alone and with its user in `Basic`. */
  add(user: string, password: string | undefined): void {
    if (password === undefined || password === '') return;
    const basic = Buffer.from(`${user}:${password}`).toString('base64');
    const forms = [password, ...escapings(password)].flatMap(quotings);
    const all = new Set([...this.#known, ...forms, encodeURIComponent(password), basic]);
    // Longest first: masking a shorter password inside a longer one would leave the rest of it readable.
    this.#known = [...all].toSorted((one, other) => other.length - one.length);
  }

  /** The text on one line, without secrets and control characters, cut to `longest` characters. */
  masked(text: string, longest = 200): string {
    const bare = this.#known.reduce((left, secret) => left.replaceAll(secret, '***'), text);
    const line = bare.replace(TICKET, LEFT).replace(/\s+/g, ' ').replace(UNSEEN, '\u{fffd}');
    return line.length > longest ? `${line.slice(0, longest)}…` : line;
  }
}
