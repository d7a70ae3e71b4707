import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';

/** What the browser itself says of an answer (WebAuthn section 5.8.1). */
interface ClientData {
  readonly challenge: string;
  /** Whether the page that asked is shown inside of a page of another origin. */
  readonly crossOrigin: boolean;
}

/** The answer of an authenticator, as the script of a page sends it. Nothing of it is verified yet. */
export interface PasskeyAnswer<R> extends ClientData {
  readonly response: R;
}

/** The longest text that is read. An answer with an attestation of a few certificates is shorter. */
const LONGEST = 16_384;

const BASE64URL = /^[\w-]+$/;

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function clientDataIn(text: string): ClientData | undefined {
  const { challenge, crossOrigin = false } = parsed(Buffer.from(text, 'base64url').toString()) ?? {};
  return typeof challenge === 'string' ? { challenge, crossOrigin: crossOrigin !== false } : undefined;
}

/** Reads an answer whose `response` has these members, each in base64url. */
function answerIn(text: string, members: readonly string[]) {
  const { id, response } = (text.length <= LONGEST && parsed(text)) || {};
  if (typeof id !== 'string' || !BASE64URL.test(id) || !isObject(response)) return undefined;
  const isComplete = members.every((name) => {
    const member = response[name];
    return typeof member === 'string' && BASE64URL.test(member);
  });
  const clientData = isComplete ? clientDataIn(response.clientDataJSON as string) : undefined;
  if (clientData === undefined) return undefined;
  const parts = Object.fromEntries(members.map((name) => [name, response[name] as string]));
  return { clientData, more: response, id, parts };
}

const common = (id: string) => ({ id, rawId: id, type: 'public-key', clientExtensionResults: {} }) as const;

/** Reads the answer of an authenticator that made a passkey; undefined if the text is none. */
export function readRegistration(text: string): PasskeyAnswer<RegistrationResponseJSON> | undefined {
  const read = answerIn(text, ['clientDataJSON', 'attestationObject']);
  if (read === undefined) return undefined;
  const { id, parts, more, clientData } = read;
  const transports = Array.isArray(more.transports) ? more.transports.map(String).filter(isTransport) : [];
  const response = {
    ...common(id),
    response: { ...parts, transports },
  } as unknown as RegistrationResponseJSON;
  return { ...clientData, response };
}

/** How many names of transports are kept. */
const isTransport = (name: string, at: number) => at < 8 && /^[a-z-]{1,20}$/.test(name);

/** Reads the answer of an authenticator that proved to have a passkey; undefined if the text is none. */
export function readAssertion(text: string): PasskeyAnswer<AuthenticationResponseJSON> | undefined {
  const read = answerIn(text, ['clientDataJSON', 'authenticatorData', 'signature']);
  if (read === undefined) return undefined;
  const { id, parts, more, clientData } = read;
  const { userHandle } = more;
  const handle = typeof userHandle === 'string' && BASE64URL.test(userHandle) ? { userHandle } : {};
  const response = {
    ...common(id),
    response: { ...parts, ...handle },
  } as unknown as AuthenticationResponseJSON;
  return { ...clientData, response };
}
