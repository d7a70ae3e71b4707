import { PASSWORD } from './peer.ts';

/** The most pages from the first one to the code: a login, a consent and redirects between them. */
const STEPS = 12;

/** A minimal browser: it keeps cookies, follows redirects, and fills in the pages of oidc-provider for its person. */
export class Browser {
  readonly #person: string;
  readonly #cookies: Map<string, string>;

  constructor(person: string, cookies: Readonly<Record<string, string>> = {}) {
    this.#person = person;
    this.#cookies = new Map(Object.entries(cookies));
  }

  async #ask(url: URL, fields?: Record<string, string>): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const form = fields && { method: 'POST', body: new URLSearchParams(fields) };
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie }, ...form });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.#cookies.set(name, value);
    }
    return answer;
  }

  /** Goes from `start` through the provider's pages to `redirect`, and returns the client's code. */
  async code(start: URL, redirect: string): Promise<string> {
    let [url, fields]: [URL, Record<string, string> | undefined] = [start, undefined];
    for (let step = 0; step < STEPS; step += 1) {
      const answer = await this.#ask(url, fields);
      fields = undefined;
      const location = answer.headers.get('location');
      const text = await answer.text();
      if (location === null) {
        const prompt = /name="prompt" value="(\w+)"/.exec(text)?.[1];
        if (prompt === undefined) throw new Error(`${url.pathname} is answered ${answer.status}: ${text}`);
        fields = { prompt, login: this.#person, password: PASSWORD };
      } else {
        const to = new URL(location, url);
        if (to.href.startsWith(redirect)) return to.searchParams.get('code') ?? '';
        // Addresses of an issuer lead to the server itself.
        url = new URL(to.pathname + to.search, start);
      }
    }
    throw new Error('the pages for logging in lead nowhere');
  }
}
