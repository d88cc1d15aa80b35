// Stands for Stripe.js: the parts that a checkout with a deferred intent uses, and Stripe's refusals of wrong use.
(() => {
  const origin = new URL(document.currentScript.src).origin;
  const base = document.currentScript.src.replace(/stripe\.js.*$/, '');
  const OPTIONS = new Set(
    'mode amount currency setupFutureUsage captureMethod onBehalfOf allowedPaymentMethodTypes excludedPaymentMethodTypes paymentMethodConfiguration paymentMethodCreation paymentMethodOptions appearance fonts locale loader clientSecret customerSessionClientSecret externalPaymentMethodTypes'.split(
      ' ',
    ),
  );

  class IntegrationError extends Error {
    name = 'IntegrationError';
  }
  const check = (isRight, message) => {
    if (!isRight) throw new IntegrationError(message);
  };

  function checkOptions(options) {
    check(
      options.paymentMethodTypes === undefined,
      'Invalid value for elements(): paymentMethodTypes is no longer supported. Use allowedPaymentMethodTypes.',
    );
    for (const name of Object.keys(options))
      check(OPTIONS.has(name), `Unrecognized elements() parameter: ${name} is not a recognized parameter.`);
  }

  class PaymentElement {
    #handlers = new Map();
    #waiting = new Map();
    #count = 0;
    constructor(elements) {
      this.elements = elements;
      this.isThere = false;
      this.ready = new Promise((resolve) => {
        this.isReady = resolve;
      });
    }
    mount(target) {
      const host = typeof target === 'string' ? document.querySelector(target) : target;
      check(
        host,
        `The selector you specified (${target}) applies to no DOM elements that are currently on the page.`,
      );
      this.frame = document.createElement('iframe');
      Object.assign(this.frame, {
        src: `${base}element.html`,
        title: 'Secure payment input frame',
        name: '__privateStripeFrame',
      });
      this.frame.setAttribute('allow', 'payment *');
      this.frame.style.cssText = 'border:0;width:100%;height:320px';
      addEventListener('message', this.hear);
      host.replaceChildren(this.frame);
    }
    hear = ({ data, source }) => {
      if (source !== this.frame?.contentWindow) return;
      if (data.standIn === 'ready') {
        this.isThere = true;
        this.show().then(() => {
          this.isReady();
          this.fire('ready', {});
        });
      }
      if (data.standIn === 'answer') this.#waiting.get(data.id)?.(data.result);
      if (data.standIn === 'change')
        this.fire('change', {
          elementType: 'payment',
          complete: false,
          empty: false,
          collapsed: false,
          value: { type: data.type },
        });
      if (data.standIn === 'confirm') this.fire('confirm', { expressPaymentType: data.type });
    };
    ask(verb, args) {
      this.#count += 1;
      const id = this.#count;
      this.frame.contentWindow.postMessage({ verb, args, id }, origin);
      return new Promise((resolve) => this.#waiting.set(id, resolve));
    }
    show() {
      // What is told before the frame is there, it is told when it is.
      if (!this.isThere) return Promise.resolve();
      const {
        amount = 0,
        currency = 'eur',
        allowedPaymentMethodTypes: types = ['card'],
      } = this.elements.options;
      return this.ask('show', { amount, currency, types, key: this.elements.key });
    }
    fire(name, event) {
      for (const handler of this.#handlers.get(name) ?? []) handler(event);
    }
    on(name, handler) {
      this.#handlers.set(name, [...(this.#handlers.get(name) ?? []), handler]);
      return this;
    }
    off(name) {
      this.#handlers.delete(name);
      return this;
    }
    update() {}
    collapse() {}
    focus() {
      this.frame?.focus();
    }
    unmount() {
      this.frame?.remove();
      removeEventListener('message', this.hear);
    }
    destroy() {
      this.unmount();
    }
  }

  class Elements {
    constructor(key, options) {
      checkOptions(options);
      if (options.clientSecret === undefined) {
        check(
          ['payment', 'setup', 'subscription'].includes(options.mode),
          'Invalid value for elements(): mode must be one of payment, setup, subscription.',
        );
        check(
          typeof options.currency === 'string',
          'Invalid value for elements(): currency should be a string.',
        );
        check(
          options.mode === 'setup' || Number.isInteger(options.amount),
          'Invalid value for elements(): amount should be a positive integer.',
        );
      }
      this.key = key;
      this.options = options;
      this.isSubmitted = false;
    }
    create(type) {
      check(
        type === 'payment' || type === 'expressCheckout',
        `A valid Element name must be provided. You specified ${type}.`,
      );
      check(!this.element, 'Can only create one Element of type payment.');
      this.element = new PaymentElement(this);
      return this.element;
    }
    getElement(type) {
      return type === 'payment' ? (this.element ?? null) : null;
    }
    update(options) {
      checkOptions(options);
      check(options.clientSecret === undefined, 'elements.update() cannot change clientSecret.');
      this.options = { ...this.options, ...options };
      this.isSubmitted = false;
      if (this.element?.frame) this.element.show();
    }
    async fetchUpdates() {
      return {};
    }
    async submit() {
      check(this.element?.frame, 'elements.submit() was called before a Payment Element was mounted.');
      await this.element.ready;
      const result = await this.element.ask('submit');
      this.isSubmitted = !result.error;
      return result;
    }
  }

  class StripeStandIn {
    constructor(key) {
      this._key = key;
    }
    elements(options = {}) {
      return new Elements(this._key, options);
    }

    async #call(method, path, params = {}) {
      const query = new URLSearchParams(params);
      const answer = await fetch(`${origin}${path}${method === 'GET' ? `?${query}` : ''}`, {
        method,
        headers: { authorization: `Bearer ${this._key}` },
        ...(method === 'GET' ? {} : { body: query }),
      });
      return answer.json();
    }

    async #retrieve(kind, clientSecret) {
      check(
        typeof clientSecret === 'string' && clientSecret.includes('_secret_'),
        `Invalid value for client secret: ${clientSecret}.`,
      );
      const id = clientSecret.split('_secret_')[0];
      const answer = await this.#call('GET', `/v1/${kind}/${id}`, { client_secret: clientSecret });
      return answer.error
        ? { error: answer.error }
        : { [kind === 'payment_intents' ? 'paymentIntent' : 'setupIntent']: answer };
    }
    retrievePaymentIntent(secret) {
      return this.#retrieve('payment_intents', secret);
    }
    retrieveSetupIntent(secret) {
      return this.#retrieve('setup_intents', secret);
    }

    async createConfirmationToken({ elements, params = {} } = {}) {
      check(
        elements instanceof Elements,
        'stripe.createConfirmationToken(): expected elements to be an Elements instance.',
      );
      check(
        elements.isSubmitted,
        'elements.submit() must be called before stripe.createConfirmationToken(). Call elements.submit() as soon as your customer presses pay, prior to any asynchronous work.',
      );
      const extra = {};
      if (params.return_url) extra.return_url = params.return_url;
      if (elements.options.setupFutureUsage) extra.setup_future_usage = elements.options.setupFutureUsage;
      const billing = params.payment_method_data?.billing_details ?? {};
      for (const [name, value] of Object.entries(billing)) {
        if (typeof value === 'string') extra[`payment_method_data[billing_details][${name}]`] = value;
        else
          for (const [part, text] of Object.entries(value ?? {}))
            extra[`payment_method_data[billing_details][${name}][${part}]`] = text ?? '';
      }
      const answer = await elements.element.ask('send', { path: '/v1/confirmation_tokens', extra });
      return answer.error ? { error: answer.error } : { confirmationToken: answer };
    }

    async confirmPayment({ elements, clientSecret, confirmParams = {}, redirect = 'always' } = {}) {
      const secret = clientSecret ?? elements?.options.clientSecret;
      check(secret, 'stripe.confirmPayment(): clientSecret is missing.');
      check(
        redirect === 'if_required' || confirmParams.return_url,
        'stripe.confirmPayment(): the return_url argument is required.',
      );
      const found = await this.retrievePaymentIntent(secret);
      if (found.error) return found;
      if (elements) this.#compare(elements.options, found.paymentIntent);
      const id = found.paymentIntent.id;
      const extra = { client_secret: secret };
      if (confirmParams.return_url) extra.return_url = confirmParams.return_url;
      const path = `/v1/payment_intents/${id}/confirm`;
      if (elements)
        check(
          elements.isSubmitted || elements.options.clientSecret,
          'elements.submit() must be called before stripe.confirmPayment().',
        );
      const answer = elements
        ? await elements.element.ask('send', { path, extra })
        : await this.#call('POST', path, { ...extra, ...confirmParams });
      if (answer.error) return { error: answer.error };
      if (answer.status === 'requires_action') return this.handleNextAction({ clientSecret: secret });
      if (redirect === 'if_required') return { paymentIntent: answer };
      const url = new URL(confirmParams.return_url);
      url.searchParams.set('payment_intent', answer.id);
      url.searchParams.set('payment_intent_client_secret', secret);
      url.searchParams.set('redirect_status', answer.status === 'succeeded' ? 'succeeded' : 'pending');
      location.assign(url);
      return new Promise(() => {});
    }

    #compare(options, intent) {
      if (options.clientSecret !== undefined) return;
      check(
        options.amount === intent.amount,
        `The amount of the PaymentIntent (${intent.amount}) does not match the amount that was passed to elements() (${options.amount}).`,
      );
      check(
        options.currency === intent.currency,
        `The currency of the PaymentIntent (${intent.currency}) does not match elements() (${options.currency}).`,
      );
      const own = [...(options.allowedPaymentMethodTypes ?? [])].sort().join();
      const theirs = [...(intent.allowed_payment_method_types ?? [])].sort().join();
      check(
        own === theirs,
        `allowedPaymentMethodTypes (${own}) does not match the intent's allowed_payment_method_types (${theirs}).`,
      );
    }

    async handleNextAction({ clientSecret } = {}) {
      const kind = String(clientSecret).startsWith('seti_') ? 'setup_intents' : 'payment_intents';
      const name = kind === 'setup_intents' ? 'setupIntent' : 'paymentIntent';
      const found = await this.#retrieve(kind, clientSecret);
      if (found.error) return found;
      const intent = found[name];
      check(
        intent.status === 'requires_action',
        `handleNextAction: The ${name} supplied is not in the requires_action state.`,
      );
      const { type } = intent.next_action;
      if (type === 'redirect_to_url') {
        location.assign(intent.next_action.redirect_to_url.url);
        return new Promise(() => {});
      }
      await this.#challenge(intent.next_action.use_stripe_sdk.stripe_js);
      const ended = await this.#retrieve(kind, clientSecret);
      const error = ended[name]?.last_payment_error ?? ended[name]?.last_setup_error;
      return error ? { error: { ...error, [kind.slice(0, -1)]: ended[name] } } : ended;
    }

    #challenge(url) {
      const frame = document.createElement('iframe');
      Object.assign(frame, { src: url, title: '3D Secure challenge', name: '__stripeChallengeFrame' });
      frame.style.cssText = 'position:fixed;inset:10%;width:80%;height:80%;background:#fff;z-index:99999';
      return new Promise((resolve) => {
        const hear = ({ data, source }) => {
          if (source !== frame.contentWindow || data?.standIn !== 'authenticated') return;
          removeEventListener('message', hear);
          frame.remove();
          resolve();
        };
        addEventListener('message', hear);
        document.body.append(frame);
      });
    }
  }

  window.Stripe = Object.assign(
    (key) => {
      check(
        /^pk_(test|live)_/.test(String(key)),
        'Please call Stripe() with your publishable key. You used an empty string or a key of another kind.',
      );
      return new StripeStandIn(key);
    },
    { version: 'endive' },
  );
})();
