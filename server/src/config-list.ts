/**
 * Every setting of the service, once: `config.ts` reads them by this list, and `.env.example`, `docs/configuration.md` and
 * `npm run config` are made of it. They are told in this order.
 */

import type { Setting } from './config-shape.ts';

const REACHED = 'Where it listens, and how it is reached';
const KEPT = 'Where it keeps things';
const RETAINED = 'How long it keeps things';
const BACKED_UP = 'How the embedded store is backed up';
const RUN = 'How it runs';
const PROCESSORS = 'Payment processors';
const MAIL = 'Mail';
const ASKED = 'Whom it asks';
const LET_THROUGH = 'What it lets through';
const WATCHED = 'Who watches it';
const SIGN_IN = 'Who signs in to the dashboard';

export const SETTINGS = {
  PORT: { group: REACHED, fallback: '3000', whole: [0, 65_535], says: 'The port. 0 takes any free one.' },
  HOST: {
    group: REACHED,
    fallback: null,
    example: '127.0.0.1',
    says: 'The address to listen on. Unset = 127.0.0.1, this machine alone, where PUBLIC_URL is unset or names this machine; else 0.0.0.0, every address.',
  },
  PUBLIC_URL: {
    group: REACHED,
    fallback: null,
    example: 'http://localhost:3000',
    says: 'Where buyers and webhook receivers reach this service: a host of its own, without a path. Links in answers and pages begin with it. Unset = localhost and the port.',
  },
  TRUST_PROXY: {
    group: REACHED,
    fallback: null,
    example: '',
    says: 'Proxies in front whose x-forwarded-for is believed, with commas: addresses, networks (10.0.0.0/8) and loopback. Behind a proxy that is not listed all buyers count as one client. To believe everybody is not possible.',
  },
  NAME_PREFIX_ALIASES: {
    group: REACHED,
    fallback: null,
    example: '',
    says: "Other names of this API, with commas: with abc the headers x-abc-public-key and x-abc-secret-key and a checkout link's abc-… parameters are understood beside those with svc, and x-abc-signature and a redirect's abc-… are sent beside them.",
  },
  DATABASE_URL: {
    group: KEPT,
    fallback: null,
    example: 'postgres://user:password@host:5432/database',
    secret: 'password',
    says: 'A PostgreSQL of your own, 15 or newer; of several hosts (h1:5432,h2:5433) the primary is used, and its standby once that was promoted. sslmode and sslrootcert mean what they mean to libpq. Unset = a PostgreSQL that the service runs itself, in DATA_DIR.',
  },
  MIGRATE: {
    group: KEPT,
    fallback: 'auto',
    words: ['auto', 'now', 'off'],
    says: 'What a start does with a store of an older schema. auto: brings it to the newest; an embedded one is backed up before, in BACKUP_DIR or as a copy beside it, and the start stops where that copy would be larger than 2 GB. now: copies it whatever its size. off: stops and says so, for fleets that run npm run migrate once for all.',
  },
  MIGRATE_DATABASE_URL: {
    group: KEPT,
    fallback: null,
    example: '',
    secret: 'password',
    says: 'Where migrations reach the PostgreSQL of DATABASE_URL when that is a pooler: the server itself. Unset = DATABASE_URL.',
  },
  REPORTS_DATABASE_URL: {
    group: KEPT,
    fallback: null,
    example: '',
    secret: 'password',
    says: 'A standby of DATABASE_URL that exports, reports and npm run invariants -- --reports read while it is at most 10 s behind; else the primary. Unset = the primary.',
  },
  STORE_FORM: {
    group: KEPT,
    fallback: 'plain',
    words: ['plain', 'spread'],
    says: 'What form statements have on one PostgreSQL: spread is that of a store on several nodes, to try it before. A store that is spread is known by itself.',
  },
  DATA_DIR: {
    group: KEPT,
    fallback: '.data',
    says: 'The folder of the embedded store, of uploaded files and of credentials.json. One service per folder.',
  },
  FILES_URL: {
    group: KEPT,
    fallback: null,
    example: '',
    says: 'Where uploads and drawn PDFs lie on more than one machine: a folder that all of them share (file:///mnt/shared) or a bucket (s3://bucket/prefix?endpoint=https://storage.example.com; without an endpoint, Amazon’s). Unset = DATA_DIR. Of a store that has files it is changed by npm run storage -- move alone.',
  },
  AWS_ACCESS_KEY_ID: {
    group: KEPT,
    fallback: null,
    example: '',
    says: 'The key of the buckets that FILES_URL and RETAIN_EXPORT name. It must read, write, delete and list there.',
  },
  AWS_SECRET_ACCESS_KEY: { group: KEPT, fallback: null, example: '', secret: 'all', says: 'Its secret.' },
  AWS_REGION: {
    group: KEPT,
    fallback: 'us-east-1',
    says: 'The region of the buckets. Services other than Amazon’s mostly take any.',
  },
  DATABASE_CONNECTIONS_MAX: {
    group: KEPT,
    fallback: null,
    example: '20',
    whole: [2, 1000],
    says: 'Most connections of one process to the store; one more looks after it. Unset = 20, with ROLE=api 10, with ROLE=worker 14.',
  },
  SEED_DEMO: {
    group: KEPT,
    fallback: 'auto',
    words: ['auto', 'true', 'false', '1', '0', 'on', 'off'],
    says: 'Whether an empty store gets a demo shop: auto (the embedded store yes, your own no), true or false. Its downloads lie in a folder: not with a bucket in FILES_URL.',
  },
  UPLOAD_MAX_MB: {
    group: KEPT,
    fallback: '2048',
    whole: [1, 1_000_000],
    says: 'Largest upload, in MiB; in a bucket at most 5120. Other bodies are at most 1 MiB, lists of keys 8 MiB.',
  },
  RETAIN_EVENT_BODIES_DAYS: {
    group: RETAINED,
    fallback: '90',
    whole: [0, 36_500],
    says: 'Days of real time after which the body of an event is let go; at least 30, and 0 = never. Not while a delivery of it waits.',
  },
  RETAIN_EVENTS_DAYS: {
    group: RETAINED,
    fallback: '400',
    whole: [0, 36_500],
    says: 'Days after which events and their ended deliveries are deleted; at least 30, and 0 = never.',
  },
  RETAIN_ATTEMPTS_DAYS: {
    group: RETAINED,
    fallback: '30',
    whole: [0, 36_500],
    says: 'Days after which attempts of ended deliveries are deleted, but for the last of each; 0 = never.',
  },
  RETAIN_MAIL_BODIES_DAYS: {
    group: RETAINED,
    fallback: '90',
    whole: [0, 36_500],
    says: 'Days after which the texts of mails are let go; 0 = never. Not before they are sent.',
  },
  RETAIN_MAILS_DAYS: {
    group: RETAINED,
    fallback: '400',
    whole: [0, 36_500],
    says: 'Days after which mails are deleted; at least 30, and 0 = never.',
  },
  RETAIN_AUDIT_DAYS: {
    group: RETAINED,
    fallback: '730',
    whole: [0, 36_500],
    says: 'Days after which audit rows of stores, workspaces and accounts are deleted; 0 = never.',
  },
  RETAIN_EXPORT: {
    group: RETAINED,
    fallback: null,
    example: 'file:///mnt/kept',
    says: 'A folder, or a bucket as of FILES_URL, in which each day of a store is written down, as gzipped JSON lines with a manifest, before any of it is deleted; what cannot be written is not deleted. Unset = it is deleted without.',
  },
  BACKUP_DIR: {
    group: BACKED_UP,
    fallback: null,
    example: '',
    says: "A folder on another disk than DATA_DIR's: the embedded store's log is archived there within a minute, and once a day the whole of it is copied. Not secrets.key: keep that elsewhere. Unset = nothing is backed up.",
  },
  BACKUP_AT: {
    group: BACKED_UP,
    fallback: '03:00',
    says: 'When the daily copy is made, as hours and minutes in UTC. One that was missed is made up for at the next start.',
  },
  BACKUP_KEEP_DAYS: {
    group: BACKED_UP,
    fallback: '14',
    whole: [1, 36_500],
    says: 'Days that copies are kept, with the log after them. The last good one is never removed.',
  },
  BACKUP_SAME_DISK: {
    group: BACKED_UP,
    fallback: 'false',
    words: ['true', 'false'],
    says: 'Whether BACKUP_DIR may be on the disk of DATA_DIR: true only where that disk cannot be lost, or for a try.',
  },
  ROLE: {
    group: RUN,
    fallback: 'all',
    words: ['all', 'api', 'worker'],
    says: 'What this process does: all, api (requests only) or worker (due work only). Any number of each on one store.',
  },
  LOG_LEVEL: {
    group: RUN,
    fallback: 'warn',
    words: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    says: 'What is told in the log: this level and what is worse.',
  },
  LOG_FORMAT: {
    group: RUN,
    fallback: 'auto',
    words: ['auto', 'json', 'text'],
    says: 'How it is told: json, a line each; text, for whoever reads it. auto: text at a terminal, json else.',
  },
  DRAIN_TIMEOUT_MS: {
    group: RUN,
    fallback: '25000',
    whole: [0, 29_000],
    says: 'How long a stop waits for requests and jobs that are running, in ms. What still runs then is cut off and rolled back. A stop ends within 30 s.',
  },
  DRAIN_DELAY_MS: {
    group: RUN,
    fallback: '0',
    whole: [0, 60_000],
    says: 'How long a process that was told to stop goes on taking requests, in ms, while /readyz already says 503: a balancer looks away first. Behind Kubernetes 5000. It comes on top of the 30 s. A second signal ends the process at once.',
  },
  PROCESSOR_TIMEOUT_MS: {
    group: PROCESSORS,
    fallback: '8000',
    whole: [1, 60_000],
    says: "How long a payment processor's answer is waited for, in ms. Later it is asked what became of the charge.",
  },
  PROCESSOR_SEND_WITHIN_MS: {
    group: PROCESSORS,
    fallback: '600000',
    whole: [1000, 3_600_000],
    says: 'Nothing is sent to a processor that was meant to be sent longer ago (ms): by then somebody has asked what became of it.',
  },
  PROCESSOR_RATE: {
    group: PROCESSORS,
    fallback: null,
    example: '',
    says: 'Calls a second over one connection, by all processes together: in all, and to one endpoint, such as `80/20`; `0` = as many as there are. Unset = `80/20` in live stores, `20/20` in test stores. A quarter is kept for buyers who wait.',
  },
  STRIPE_API_URL: {
    group: PROCESSORS,
    fallback: 'https://api.stripe.com',
    says: "Stripe's API. Another is for tests: it is believed.",
  },
  PAYPAL_API_URL: {
    group: PROCESSORS,
    fallback: 'https://api-m.paypal.com',
    says: "PayPal's API, of live stores. Another is for tests: it is believed.",
  },
  PAYPAL_SANDBOX_API_URL: {
    group: PROCESSORS,
    fallback: 'https://api-m.sandbox.paypal.com',
    says: "The API of PayPal's sandbox, of test stores. Another is for tests: it is believed.",
  },
  APPLE_PAY_DOMAIN_ASSOCIATION: {
    group: PROCESSORS,
    fallback: null,
    example: '',
    says: 'The text of the file by which a processor proves to Apple that pages of this host may show Apple Pay: served as `/.well-known/apple-developer-merchantid-domain-association`.',
  },
  STRIPE_JS_URL: {
    group: PROCESSORS,
    fallback: 'https://js.stripe.com/endive/stripe.js',
    says: "Stripe's script for pages, of the train of the version that its API is asked by. Another is for tests: it is believed.",
  },
  STRIPE_SECRET_KEY: {
    group: PROCESSORS,
    fallback: null,
    example: '',
    secret: 'all',
    says: 'With `STRIPE_PUBLISHABLE_KEY`, the account that the first workspace is connected to at start, in the mode of the keys: once, and not where that store ever had an account of Stripe, nor in a copy.',
  },
  STRIPE_PUBLISHABLE_KEY: {
    group: PROCESSORS,
    fallback: null,
    example: '',
    says: 'The other key of the pair.',
  },

  SMTP_URL: {
    group: MAIL,
    fallback: null,
    example: '',
    secret: 'password',
    says: 'The server that mails are handed to: smtp://user:password@host:587 (STARTTLS where it is offered) or smtps://user:password@host:465. With a password, a server beyond this machine must speak TLS. Unset = mails are kept, and read over GET /v0/mails/list.',
  },
  MAIL_FROM: {
    group: MAIL,
    fallback: null,
    example: '',
    says: "The address that mails come from; the name beside it is the seller's. Unset = no-reply@ the host of PUBLIC_URL.",
  },

  VIES_URL: {
    group: ASKED,
    fallback: 'https://ec.europa.eu/taxation_customs/vies/rest-api',
    says: "The EU's register of VAT numbers, asked by stores whose setting taxNumberCheck is vies.",
  },

  RATE_LIMIT_LIVE: {
    group: LET_THROUGH,
    fallback: '100',
    whole: [0, 1_000_000],
    says: 'Requests per second and pair of live keys, per process. 0 switches off this and the limits on what strangers do (declines, unknown codes, mails…) for live stores; with RATE_LIMIT_TEST at 0 also the limits by address.',
  },
  RATE_LIMIT_TEST: {
    group: LET_THROUGH,
    fallback: '50',
    whole: [0, 1_000_000],
    says: 'The same of test keys and test stores.',
  },
  EGRESS_ALLOW_CIDRS: {
    group: LET_THROUGH,
    fallback: null,
    example: '',
    says: 'Networks that webhooks may reach although they are not public, as CIDRs with commas: 127.0.0.0/8,10.1.0.0/16',
  },

  HEALTH_PORT: {
    group: WATCHED,
    fallback: null,
    example: '',
    whole: [1, 65_535],
    says: 'Where a process with ROLE=worker, which listens nowhere else, answers /healthz, /readyz and /startz, at HOST. Unset = nowhere; the others answer on PORT.',
  },
  METRICS_PORT: {
    group: WATCHED,
    fallback: null,
    example: '',
    whole: [1, 65_535],
    says: 'Metrics in the form that Prometheus reads, at /metrics on a port of their own. Unset, and without METRICS_TOKEN, nobody can read them.',
  },
  METRICS_HOST: {
    group: WATCHED,
    fallback: '127.0.0.1',
    says: 'The address that METRICS_PORT is on: this machine alone unless said otherwise.',
  },
  METRICS_TOKEN: {
    group: WATCHED,
    fallback: null,
    example: '',
    secret: 'all',
    says: 'With it metrics are read on the main port too, at /metrics by `authorization: Bearer <token>`. At least 8 characters.',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    group: WATCHED,
    fallback: null,
    example: 'http://localhost:4318',
    says: 'A collector of OpenTelemetry, which traces of requests and jobs are sent to by OTLP over HTTP, as JSON at /v1/traces. Its packages are installed beside the service: docs/guides/traces.md. OTEL_EXPORTER_OTLP_HEADERS is read too, from the environment alone. Unset = nothing is traced, and nothing is loaded for it.',
  },

  SIGN_UP: {
    group: SIGN_IN,
    fallback: 'closed',
    words: ['closed', 'open'],
    says: 'closed: accounts by invitation or by npm run accounts. open: strangers make accounts and workspaces.',
  },
  SECRETS_KEY: {
    group: SIGN_IN,
    fallback: null,
    example: '',
    secret: 'all',
    says: 'Under what secrets are kept (second factors, credentials of processors): 32 bytes in base64, such as openssl rand -base64 32 makes; "new,old" to change it, then npm run keys -- reseal, then "new"; of several processes each is to know both before one seals with the new: "old,new" first. Unset = an embedded store makes DATA_DIR/secrets.key, which is in no backup; with DATABASE_URL nothing that needs it can be set up.',
  },
  OIDC_ISSUER: {
    group: SIGN_IN,
    fallback: null,
    example: '',
    says: "Another's word for who somebody is, by OpenID Connect. Its address for us is PUBLIC_URL/v0/session/oidc/callback.",
  },
  OIDC_CLIENT_ID: { group: SIGN_IN, fallback: null, example: '', says: 'What that other knows us by.' },
  OIDC_CLIENT_SECRET: { group: SIGN_IN, fallback: null, example: '', secret: 'all', says: 'Our proof.' },
  OIDC_NAME: {
    group: SIGN_IN,
    fallback: null,
    example: '',
    says: 'As the button calls it. Unset = the host of OIDC_ISSUER.',
  },
  OIDC_TRUST_MFA: {
    group: SIGN_IN,
    fallback: 'off',
    words: ['on', 'off'],
    says: 'on: what it says of several factors (amr: mfa, hwk, otp) stands for our second factor.',
  },
  PASSWORD_SIGN_IN: {
    group: SIGN_IN,
    fallback: 'on',
    words: ['on', 'off'],
    says: 'off: no password and no link in its place; OIDC and passkeys are left.',
  },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof SETTINGS;

/** With the fields that only some have. */
export const getSetting = (name: SettingName): Setting => SETTINGS[name];

/** In the order of the list. */
export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[]; // The list's own names.
