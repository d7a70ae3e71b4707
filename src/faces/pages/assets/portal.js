// Pages work without this script. It shows times as the reader's clock does and takes them so, says in lists how long ago they
// were, shows passwords, says how strong a new one is, copies texts, adds new rows to a list, and takes Ctrl-K to the search.

const mark = (element, what) => {
  if (element.dataset[what]) return false;
  element.dataset[what] = 'done';
  return true;
};

function button(text, act) {
  const made = document.createElement('button');
  made.type = 'button';
  made.className = 'quiet compact';
  made.textContent = text;
  made.addEventListener('click', () => act(made));
  return made;
}

const timeFormat = (timeStyle) =>
  new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: 'medium', timeStyle });

/** To the minute, and to the second. */
const timeFormats = { short: timeFormat('short'), medium: timeFormat('medium') };

/** The page holds the moment in UTC. The title keeps that text. */
function showLocalTime(time) {
  if (!mark(time, 'local')) return;
  time.title = time.textContent;
  time.textContent = timeFormats[time.dataset.timeStyle ?? 'short'].format(new Date(time.dateTime));
}

const distanceFormat = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: 'auto' });

/** Milliseconds of each unit, the largest first. A moment that is further away than a week stays a date. */
const UNITS = { day: 86_400_000, hour: 3_600_000, minute: 60_000 };

/** In a cell of a list: how long ago, or how soon. The title has the moment. */
function showDistance(time) {
  time.dataset.moment ??= time.textContent;
  const distance = new Date(time.dateTime) - Date.now();
  const unit = Object.keys(UNITS).find((each) => Math.abs(distance) >= UNITS[each]) ?? 'minute';
  if (Math.abs(distance) > 7 * UNITS.day) {
    time.textContent = time.dataset.moment;
    return;
  }
  time.title = time.dataset.moment;
  time.textContent = distanceFormat.format(Math.trunc(distance / UNITS[unit]), unit);
}

const showDistances = (within) =>
  within.querySelectorAll(':is(td, th) > time:not([data-time-style])').forEach(showDistance);

/** Takes a time in UTC as the reader's clock says it, as the times of the rows are shown. A hidden field sends it in UTC. */
function takeLocalTime(input) {
  if (!mark(input, 'local')) return;
  const sent = document.createElement('input');
  Object.assign(sent, { type: 'hidden', name: input.name, value: input.value });
  input.removeAttribute('name');
  input.after(sent);
  for (const label of input.labels) label.firstChild.textContent = `${input.dataset.localLabel} `;
  const minutesAt = (time) => time.getTimezoneOffset() * 60_000;
  if (input.value !== '') {
    const time = new Date(`${input.value}Z`);
    input.value = new Date(time - minutesAt(time)).toISOString().slice(0, 19);
  }
  input.addEventListener('input', () => {
    sent.value = input.value === '' ? '' : new Date(input.value).toISOString().slice(0, 19);
  });
}

function letPasswordBeShown(input) {
  if (!mark(input, 'revealed')) return;
  const toggle = button(input.dataset.show, (self) => {
    const isHidden = input.type === 'password';
    input.type = isHidden ? 'text' : 'password';
    self.textContent = isHidden ? input.dataset.hide : input.dataset.show;
    self.setAttribute('aria-pressed', String(isHidden));
  });
  toggle.setAttribute('aria-pressed', 'false');
  toggle.setAttribute('aria-controls', input.id);
  const box = document.createElement('div');
  box.className = 'reveal';
  input.replaceWith(box);
  box.append(input, toggle);
  // A password that is sent as text would be kept by the browser among the texts that it offers.
  input.form?.addEventListener('submit', () => {
    input.type = 'password';
  });
}

/** Asks the service, which has the list of common passwords. Without an answer it says nothing. */
function tellStrength(input) {
  if (!mark(input, 'told')) return;
  const shown = document.getElementById(input.dataset.strength);
  let timer;
  const ask = async () => {
    const asked = input.value;
    const body = new URLSearchParams({ formToken: input.form.elements.formToken.value, password: asked });
    const answer =
      asked &&
      (await fetch(input.dataset.strengthUrl, { method: 'POST', body, redirect: 'error' }).catch(
        () => undefined,
      ));
    if (input.value !== asked) return;
    const { level = '', sentence = '' } = answer?.ok ? await answer.json() : {};
    shown.textContent = sentence;
    shown.dataset.level = level;
  };
  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(ask, 300);
  });
}

function download(name, text) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([`${text}\n`], { type: 'text/plain' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

function letTextBeCopied(box) {
  if (!mark(box, 'button')) return;
  const text = box.querySelector('code').textContent;
  const buttons = document.createElement('span');
  buttons.className = 'actions';
  box.append(buttons);
  if (navigator.clipboard) {
    const copy = button(box.dataset.copy, async (self) => {
      await navigator.clipboard.writeText(text);
      self.textContent = box.dataset.copied;
    });
    copy.setAttribute('aria-live', 'polite');
    buttons.append(copy);
  }
  const { file, download: save, print: toPaper } = box.dataset;
  if (file)
    buttons.append(
      button(save, () => download(file, text)),
      button(toPaper, () => print()),
    );
}

/** How many rows a list keeps while new ones arrive. */
const KEPT = 500;

/** The streams of new rows, by the list that each one fills. */
const tails = new Map();

/** Ends the streams of lists that the page shows no longer. */
function endTails() {
  for (const [body, source] of tails) {
    if (body.isConnected) continue;
    source.close();
    tails.delete(body);
  }
}

function followTail(body) {
  if (!mark(body, 'followed')) return;
  const { tailUrl, live, pause, goOn, ended } = body.dataset;
  let waiting = [];
  let isPaused = false;
  const add = (rows) => {
    const template = document.createElement('template');
    template.innerHTML = rows;
    enhance(template.content);
    body.prepend(template.content);
    while (body.rows.length > KEPT) body.rows[body.rows.length - 1].remove();
  };
  const source = new EventSource(tailUrl);
  tails.set(body, source);
  source.addEventListener('rows', ({ data }) => {
    const { rows } = JSON.parse(data);
    if (isPaused) waiting = [...waiting, rows].slice(-KEPT);
    else add(rows);
  });
  const toggle = button(pause, (self) => {
    isPaused = !isPaused;
    self.textContent = isPaused ? goOn : pause;
    sign.hidden = isPaused;
    for (const rows of waiting) add(rows);
    waiting = [];
  });
  const sign = document.createElement('span');
  sign.className = 'badge good';
  sign.textContent = live;
  const controls = document.createElement('div');
  controls.className = 'actions tail';
  controls.append(toggle, sign);
  body.closest('.table').before(controls);
  source.addEventListener('error', () => {
    if (source.readyState !== EventSource.CLOSED) return;
    const said = document.createElement('p');
    said.className = 'notice warning';
    said.setAttribute('role', 'status');
    said.textContent = ended;
    controls.replaceWith(said);
  });
}

function enhance(within) {
  const each = (selector, act) => within.querySelectorAll(selector).forEach(act);
  each('time[datetime]', showLocalTime);
  showDistances(within);
  each('input[data-local-label]', takeLocalTime);
  each('input[data-show]', letPasswordBeShown);
  each('input[data-strength-url]', tellStrength);
  each('[data-copy]', letTextBeCopied);
  each('[data-tail-url]', followTail);
}

enhance(document);
setInterval(showDistances, 60_000, document);
document.querySelector('[data-focus]')?.focus();
// On a phone the navigation of the console is a row that scrolls.
document.querySelector('.side [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
// A letter alone would be no key for people who speak to their browser (WCAG 2.1.4).
document.addEventListener('keydown', (event) => {
  const field = document.querySelector('[aria-keyshortcuts]');
  if (!field || event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  field.focus();
  field.select();
});
document.addEventListener('htmx:after:swap', () => {
  endTails();
  enhance(document);
});
