import assert from 'node:assert/strict';
import { PASSWORD, type TestService } from '../../service/start.ts';
import { attributeOf, elementsIn, elementsNamed, type ParsedElement, textOf } from './markup.ts';

/** What a browser sends with a form of the service's own page. */
export const FROM_OWN_PAGE = { 'Sec-Fetch-Site': 'same-origin' };

/** The value of the first input of this name on a page; undefined if there is none. */
export function valueOn(page: string, name: string): string | undefined {
  const [input] = elementsNamed(page, 'input', { name });
  return input && attributeOf(input, 'value');
}

const tokenOn = (text: string, path: string): string =>
  valueOn(text, 'formToken') || assert.fail(`no form on ${path}: ${text}`);

/** The value that a browser sends of an input of a form as it is shown; undefined if it sends none. */
function sentValueOf(input: ParsedElement): string | undefined {
  if (input.tagName === 'select') {
    const options = elementsIn(input).filter(({ tagName }) => tagName === 'option');
    const chosen = options.find((option) => attributeOf(option, 'selected') !== undefined) ?? options[0];
    return chosen && (attributeOf(chosen, 'value') ?? textOf(chosen));
  }
  if (input.tagName === 'textarea') return textOf(input);
  if (input.tagName !== 'input') return undefined;
  const isTicked = attributeOf(input, 'checked') !== undefined;
  return attributeOf(input, 'type') === 'checkbox' && !isTicked
    ? undefined
    : (attributeOf(input, 'value') ?? '');
}

/**
 * The values of the form on a page that leads to this path, as a browser sends them. Of several the one with the same
 * `of`. Undefined if there is none.
 */
export function formOn(
  page: string,
  path: string,
  { of }: { readonly of?: string } = {},
): Record<string, string> | undefined {
  const values = elementsNamed(page, 'form', { action: path })
    .map((form) =>
      elementsIn(form).flatMap((input): [string, string][] => {
        const [name, value] = [attributeOf(input, 'name'), sentValueOf(input)];
        return name === undefined || value === undefined ? [] : [[name, value]];
      }),
    )
    .map((members) => Object.fromEntries(members) as Record<string, string>);
  return values.find((each) => each.of === of) ?? values[0];
}

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
    return tokenOn(text, path);
  }

  /**
   * Sends the form of a page that leads to this path, with these values in place of those that it shows. If the page has no
   * such form, it sends the token of the page.
   */
  async send(page: string, path: string, fields: Record<string, string> = {}): Promise<Response> {
    const text = await (await this.get(page)).text();
    return this.post(path, {
      ...(formOn(text, path, fields) ?? { formToken: tokenOn(text, page) }),
      ...fields,
    });
  }
}
