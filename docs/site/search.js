/* Searches the pages in the browser. Without scripts the form leads to the list of all pages. */
const field = document.getElementById('search-the-pages');
const page = document.querySelector('main');
const found = document.createElement('section');
found.className = 'card';
found.setAttribute('aria-live', 'polite');
found.setAttribute('aria-label', 'Found');
found.hidden = true;
page.prepend(found);

let loading;
const load = async () => {
  const [{ default: MiniSearch }, answer] = await Promise.all([
    import('./minisearch.js'),
    fetch(new URL('search.json', import.meta.url)),
  ]);
  const { options, index } = await answer.json();
  return MiniSearch.loadJS(index, options);
};

/** A page that tells how to do something is more often the answer than one that tells why. */
const OPTIONS = {
  prefix: true,
  fuzzy: 0.15,
  combineWith: 'AND',
  boost: { heading: 3 },
  boostDocument: (_id, _term, { to }) => (/^(how-to|start)\//.test(to) ? 2 : 1),
};

const linkTo = ({ heading, page: title, to }) => {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = new URL(to, import.meta.url);
  link.textContent = heading;
  item.append(link);
  if (title !== heading) {
    const where = document.createElement('span');
    where.className = 'hint';
    where.textContent = ` ${title}`;
    item.append(where);
  }
  return item;
};

const show = async () => {
  const words = field.value.trim();
  found.hidden = words === '';
  if (words === '') return;
  loading ??= load();
  const results = (await loading).search(words, OPTIONS).slice(0, 12);
  if (field.value.trim() !== words) return;
  const list = document.createElement('ul');
  list.append(...results.map(linkTo));
  found.replaceChildren(results.length > 0 ? list : 'Nothing found.');
};

field.addEventListener('focus', () => {
  loading ??= load();
});
field.addEventListener('input', show);
field.form.addEventListener('submit', (event) => {
  event.preventDefault();
  found.querySelector('a')?.click();
});
field.value = new URLSearchParams(location.search).get('q') ?? '';
if (field.value !== '') show();
