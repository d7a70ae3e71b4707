import assert from 'node:assert/strict';
import { PASSWORD, type TestService } from '../service/start.ts';

/** What a browser sends with a form of the service's own page. */
export const FROM_OWN_PAGE = { 'Sec-Fetch-Site': 'same-origin' };

/** A browser without JavaScript: it keeps cookies, sends forms, and shows where it is led instead of going there. */
export class Visitor {
  readonly #url: string;
  /** The cookies that it keeps, by name. */
  readonly cookies = new Map<string, string>();

  constructor({ url }: Pick<TestService, 'url'>) {
    this.#url = url;
  }

  async #fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...(cookie !== '' && { cookie }), ...(init.headers as Record<string, string>) };
    const response = await fetch(this.#url + path, { ...init, headers, redirect: 'manual' });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  }

  /** Opens a page. */
  get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return this.#fetch(path, { headers });
  }

  /** Sends a form. */
  post(
    path: string,
    fields: Record<string, string>,
    headers: Record<string, string> = FROM_OWN_PAGE,
  ): Promise<Response> {
    return this.#fetch(path, { method: 'POST', body: new URLSearchParams(fields), headers });
  }

  /** Signs in, and fails if that is refused. */
  async signIn(username: string, password = PASSWORD): Promise<void> {
    const response = await this.post('/portal/login', { username, password });
    assert.equal(response.status, 303, await response.text());
  }

  /** The token in the forms of a page. */
  async formToken(path = '/portal/account'): Promise<string> {
    const text = await (await this.get(path)).text();
    const [, token] = /name="formToken" value="([^"]+)"/.exec(text) ?? [];
    return token ?? assert.fail(`no form on ${path}: ${text}`);
  }

  /** Sends a form of a page, with the token of that page. */
  async send(page: string, path: string, fields: Record<string, string> = {}): Promise<Response> {
    return this.post(path, { ...fields, formToken: await this.formToken(page) });
  }
}
