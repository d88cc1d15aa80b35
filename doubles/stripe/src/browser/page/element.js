// The Payment Element's inside: what the buyer types stays in this frame, which alone sends it on.
const byId = (id) => document.getElementById(id);
const field = (name) => document.querySelector(`[name=${name}]`);
const NAMES = {
  card: 'Card',
  link: 'Link',
  ideal: 'iDEAL',
  bancontact: 'Bancontact',
  eps: 'EPS',
  p24: 'Przelewy24',
};
Object.assign(NAMES, { klarna: 'Klarna', sepa_debit: 'SEPA Debit', bacs_debit: 'Bacs Direct Debit' });

let setup = { types: ['card'], amount: 0, currency: 'eur', key: '' };
let chosen = 'card';
let answerSheet = null;

function choose(type) {
  chosen = type;
  for (const tab of byId('tabs').children)
    tab.setAttribute('aria-selected', String(tab.dataset.type === type));
  for (const id of ['card', 'sepa_debit', 'bacs_debit']) byId(id).hidden = id !== type;
  parent.postMessage({ standIn: 'change', type }, '*');
}

function show(next) {
  setup = { ...setup, ...next };
  byId('tabs').replaceChildren(
    ...setup.types.map((type) => {
      const tab = document.createElement('button');
      Object.assign(tab, { type: 'button', textContent: NAMES[type] ?? type });
      tab.setAttribute('role', 'tab');
      tab.dataset.type = type;
      tab.addEventListener('click', () => choose(type));
      return tab;
    }),
  );
  byId('wallet').hidden = !setup.types.includes('card');
  const format = new Intl.NumberFormat('en', { style: 'currency', currency: setup.currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  byId('total').textContent = format.format(setup.amount / 10 ** digits);
  choose(setup.types.includes(chosen) ? chosen : setup.types[0]);
}

/** With or without what Stripe's own field puts between the two. */
const EXPIRY = /^(\d\d)\D*(\d\d)$/;

function findFault() {
  const incomplete = (code, message) => ({ type: 'validation_error', code, message });
  if (chosen === 'card') {
    if (field('number').value.replace(/\D/g, '').length < 12)
      return incomplete('incomplete_number', 'Your card number is incomplete.');
    if (!EXPIRY.test(field('expiry').value.trim()))
      return incomplete('incomplete_expiry', "Your card's expiration date is incomplete.");
    if (!/^\d{3,4}$/.test(field('cvc').value))
      return incomplete('incomplete_cvc', "Your card's security code is incomplete.");
  }
  if (chosen === 'sepa_debit' && field('iban').value === '')
    return incomplete('incomplete_iban', 'Your IBAN is incomplete.');
  return null;
}

function toDetails() {
  if (chosen === 'wallet') {
    return {
      type: 'card',
      'card[number]': '4242424242424242',
      'card[exp_month]': '12',
      'card[exp_year]': '40',
      'card[wallet]': 'google_pay',
    };
  }
  const [, month = '', year = ''] = EXPIRY.exec(field('expiry').value.trim()) ?? [];
  if (chosen === 'card') {
    return {
      type: 'card',
      'card[number]': field('number').value,
      'card[exp_month]': month,
      'card[exp_year]': year,
      'card[cvc]': field('cvc').value,
    };
  }
  if (chosen === 'sepa_debit') return { type: chosen, 'sepa_debit[iban]': field('iban').value };
  if (chosen === 'bacs_debit') {
    return {
      type: chosen,
      'bacs_debit[sort_code]': field('sort_code').value,
      'bacs_debit[account_number]': field('account_number').value,
    };
  }
  return { type: chosen };
}

async function send(path, extra) {
  const body = new URLSearchParams(extra);
  for (const [name, value] of Object.entries(toDetails())) {
    const [head, ...rest] = name.split('[');
    body.set(`payment_method_data[${head}]${rest.map((part) => `[${part}`).join('')}`, value);
  }
  const answer = await fetch(path, {
    method: 'POST',
    headers: { authorization: `Bearer ${setup.key}` },
    body,
  });
  return answer.json();
}

const verbs = {
  show: (next) => show(next),
  submit: () => {
    const error = chosen === 'wallet' ? null : findFault();
    byId('error').textContent = error?.message ?? '';
    return error ? { error } : { selectedPaymentMethod: chosen };
  },
  send: ({ path, extra }) => send(path, extra),
};

addEventListener('message', async ({ data, source }) => {
  const verb = verbs[data?.verb];
  if (source !== parent || !verb) return;
  const result = await verb(data.args);
  parent.postMessage({ standIn: 'answer', id: data.id, result }, '*');
});

byId('wallet').addEventListener('click', () => {
  byId('sheet').hidden = false;
  answerSheet = chosen;
});
byId('close').addEventListener('click', () => {
  byId('sheet').hidden = true;
  chosen = answerSheet ?? 'card';
});
byId('pay').addEventListener('click', () => {
  byId('sheet').hidden = true;
  chosen = 'wallet';
  parent.postMessage({ standIn: 'confirm', type: 'google_pay' }, '*');
});
parent.postMessage({ standIn: 'ready' }, '*');
