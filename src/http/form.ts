import { type Refusal, refuse } from '../domain/refusal.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });
/** A name that can be repeated to the caller: what was sent in its place may be a secret. */
const PLAIN_NAME = /^[a-z_]{1,40}$/;

/**
 * The parameters of a form in a body, each with its text (RFC 6749 appendix B and section 3.2): one without a value
 * counts as left out, and none may be given twice.
 */
export function readForm(
  body: unknown,
): { readonly json: Readonly<Record<string, string>> } | Refusal<'form_unreadable'> {
  if (!Buffer.isBuffer(body)) return { json: {} };
  let text: string;
  try {
    text = utf8.decode(body);
  } catch {
    return refuse('form_unreadable', { detail: 'it is not UTF-8' });
  }
  const parameters = new Map<string, string>();
  // Of a text it leaves out one question mark at the beginning, which a form may have in a name.
  for (const [name, value] of new URLSearchParams(`?${text}`)) {
    if (parameters.has(name)) {
      const which = PLAIN_NAME.test(name) ? `parameter ${name}` : 'a parameter';
      return refuse('form_unreadable', { detail: `${which} is given twice` });
    }
    parameters.set(name, value);
  }
  return { json: Object.fromEntries([...parameters].filter(([, value]) => value !== '')) };
}
