// Makes passkeys and asks for them (WebAuthn Level 3). Without this script pages offer other ways to sign in.

/** Milliseconds after which an offer in a field is made anew: its challenge is good for five minutes. */
const RENEW_AFTER = 4 * 60_000;

const bytesOf = (text) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (byte) => byte.charCodeAt(0));

const textOf = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const withBytes = (list = []) => list.map((each) => ({ ...each, id: bytesOf(each.id) }));

/** The options as browsers take them. Not every browser that knows passkeys reads them from JSON itself. */
function optionsFrom({ challenge, user, excludeCredentials, allowCredentials, ...options }) {
  return {
    ...options,
    challenge: bytesOf(challenge),
    ...(user && { user: { ...user, id: bytesOf(user.id) } }),
    excludeCredentials: withBytes(excludeCredentials),
    allowCredentials: withBytes(allowCredentials),
  };
}

/** The answer as the service reads it. Extensions of password managers make answers whose toJSON() fails. */
function answerOf({ rawId, response }) {
  const parts = {};
  for (const name of ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle'])
    if (response[name]) parts[name] = textOf(response[name]);
  if (response.attestationObject) parts.transports = response.getTransports?.() ?? [];
  return JSON.stringify({ id: textOf(rawId), response: parts });
}

async function optionsOf(form) {
  const { formToken } = form.elements;
  const body = new URLSearchParams(formToken ? { formToken: formToken.value } : {});
  const answer = await fetch(form.dataset.optionsUrl, { method: 'POST', body, redirect: 'error' });
  if (!answer.ok) throw new Error(`${answer.status}`);
  return optionsFrom(await answer.json());
}

/** Asks the authenticator, and sends its answer with the form. */
async function send(form, more) {
  const publicKey = await optionsOf(form);
  const { credentials } = navigator;
  const credential = await (form.dataset.passkey === 'create'
    ? credentials.create({ publicKey, ...more })
    : credentials.get({ publicKey, ...more }));
  form.elements.credential.value = answerOf(credential);
  form.submit();
}

/** What went wrong, in the words of the page. Browsers tell little, so that no site learns which passkeys there are. */
function sentenceFor({ cancelled, known, failed }, { name }) {
  if (name === 'NotAllowedError' || name === 'AbortError') return cancelled;
  return name === 'InvalidStateError' ? known : failed;
}

function say(form, sentence) {
  const said = form.querySelector('[role=alert]');
  said.textContent = sentence;
  said.hidden = sentence === '';
}

/** Only one question can be open: the offer in the field ends before another one. */
let offer;

/** Has the browser offer passkeys where it fills in the user name, if it can. */
async function offerInField(form) {
  if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return;
  const own = new AbortController();
  offer = own;
  const renew = setTimeout(() => own.abort(), RENEW_AFTER);
  try {
    await send(form, { mediation: 'conditional', signal: own.signal });
  } catch {
    // The user asked for nothing, so nothing is said. The button remains.
  }
  clearTimeout(renew);
  if (own.signal.aborted && offer === own) offerInField(form);
}

function letPasskeyBeUsed(form) {
  form.hidden = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    offer?.abort();
    offer = undefined;
    say(form, '');
    try {
      await send(form, {});
    } catch (fault) {
      say(form, sentenceFor(form.dataset, fault));
    }
  });
  if (form.dataset.inField === 'yes') offerInField(form);
}

const isKnown = window.PublicKeyCredential !== undefined;
for (const form of document.querySelectorAll('form[data-passkey]')) if (isKnown) letPasskeyBeUsed(form);
for (const hint of document.querySelectorAll('[data-without-passkeys]')) hint.hidden = isKnown;
