/** The pages of the documentation read without it; it adds the choice of light or dark, "Copy" at code, and the search. */
const FOUND_MAX = 8;
const root = document.documentElement;

// Before anything is drawn, so that nothing flashes.
root.dataset.theme = readTheme();
document.addEventListener('DOMContentLoaded', () => {
  offerTheme(document.querySelector('.theme'));
  for (const block of document.querySelectorAll('.code')) offerCopy(block);
  offerSearch(document.querySelector('.search input'), document.querySelector('.found'));
  document.querySelector('.side [aria-current]')?.scrollIntoView({ block: 'nearest' });
});

/** Empty = as the device is set. */
function readTheme() {
  try {
    return localStorage.getItem('counterfoil-docs-theme') ?? '';
  } catch {
    return '';
  }
}

function offerTheme(button) {
  button.hidden = false;
  button.addEventListener('click', () => {
    const { matches } = matchMedia('(prefers-color-scheme: dark)');
    const isDark = root.dataset.theme ? root.dataset.theme === 'dark' : matches;
    root.dataset.theme = isDark ? 'light' : 'dark';
    try {
      localStorage.setItem('counterfoil-docs-theme', root.dataset.theme);
    } catch {
      // Where nothing may be kept it holds for this page.
    }
  });
}

function offerCopy(block) {
  // Offered to secure pages alone.
  if (!navigator.clipboard || block.dataset.language === 'output') return;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.querySelector('code').textContent);
    button.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 2000);
  });
  block.append(button);
}

function offerSearch(input, found) {
  let parts;
  const load = () => {
    parts ??= fetch('/docs/guides/search.json').then((answer) => answer.json());
    return parts;
  };
  input.addEventListener('focus', load);
  input.addEventListener('input', async () => {
    const words = input.value.toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu) ?? [];
    const all = await load();
    show(found, words.length === 0 ? null : rank(all, words));
  });
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') show(found, null);
    if (event.key === '/' && !event.target.closest('input')) {
      event.preventDefault();
      input.focus();
    }
    if (!found.hidden && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      const stops = [input, ...found.querySelectorAll('a')];
      const at = stops.indexOf(document.activeElement);
      if (at < 0) return;
      event.preventDefault();
      stops[(at + (event.key === 'ArrowDown' ? 1 : stops.length - 1)) % stops.length].focus();
    }
  });
  document.addEventListener('click', (event) => {
    if (!event.target.closest('.search')) show(found, null);
  });
}

/** All words must stand in a part or in the titles above it; a word in a title counts more. */
function rank(parts, words) {
  return parts
    .map((part) => {
      const [page, title, text] = [part.page, part.title, part.text].map((one) => one.toLowerCase());
      const scores = words.map(
        (word) =>
          (title.includes(word) ? 6 : 0) +
          (page.includes(word) ? 4 : 0) +
          Math.min(3, text.split(word).length - 1),
      );
      return { part, words, score: scores.includes(0) ? 0 : scores.reduce((sum, one) => sum + one, 0) };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, FOUND_MAX);
}

/** `null` = nothing is looked for. */
function show(found, ranked) {
  found.hidden = ranked === null;
  found.replaceChildren(...(ranked ?? []).map(toLink));
  if (ranked?.length === 0) {
    const none = document.createElement('p');
    none.textContent = 'Nothing found.';
    found.append(none);
  }
}

function toLink({ part, words }) {
  const link = document.createElement('a');
  const title = document.createElement('strong');
  const text = document.createElement('small');
  link.href = part.url;
  title.textContent = part.title === '' ? part.page : `${part.page}: ${part.title}`;
  const place = Math.max(0, part.text.toLowerCase().indexOf(words[0]) - 40);
  text.textContent = `${place > 0 ? '…' : ''}${part.text.slice(place, place + 140)}`;
  link.append(title, text);
  return link;
}
